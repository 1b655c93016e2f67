package dev.stet.cli;

/** Figures as people read them. */
final class Units {
    private static final String[] BYTES = {"bytes", "kB", "MB", "GB", "TB", "PB"};

    private Units() {}

    /** With commas between thousands. */
    static String number(long n) {
        String digits = Long.toString(n);
        StringBuilder text = new StringBuilder(digits);
        for (int i = digits.length() - 3; i > (n < 0 ? 1 : 0); i -= 3) {
            text.insert(i, ',');
        }
        return text.toString();
    }

    static String count(long n, String what) {
        return number(n) + " " + what + (n == 1 ? "" : "s");
    }

    static String bytes(long n) {
        double value = n;
        int unit = 0;
        while (value >= 999.95 && unit < BYTES.length - 1) {
            value /= 1000;
            unit++;
        }
        return unit == 0 ? n + " " + BYTES[0] : tenths(value) + " " + BYTES[unit];
    }

    static String duration(long millis) {
        if (millis < 60_000) {
            return tenths(millis / 1000.0) + " s";
        }
        long minutes = millis / 60_000;
        if (minutes < 60) {
            return minutes + " min " + millis / 1000 % 60 + " s";
        }
        long hours = minutes / 60;
        return hours < 48 ? hours + " h " + minutes % 60 + " min" : hours / 24 + " d " + hours % 24 + " h";
    }

    private static String tenths(double value) {
        long tenths = Math.round(value * 10);
        return number(tenths / 10) + "." + tenths % 10;
    }
}
