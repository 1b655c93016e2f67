package dev.stet.corpus;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonReadFeature;

/**
 * The routing rules of the rule book (D21 to D34) a third time, slowly and plainly, on a Jackson parser: what the corpus claims about its records is
 * held against this.
 */
final class SlowRouter {
    private static final JsonFactory JSON = JsonFactory.builder()
            .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(1_000_000)
                    .maxStringLength(Integer.MAX_VALUE)
                    .maxNumberLength(10_000)
                    .build())
            .build();

    /** Order of faults: namespace, partition, time. */
    private static final class Refused extends RuntimeException {
        private static final long serialVersionUID = 1;

        private Refused(String reason) {
            super(reason);
        }
    }

    /** A value found at a routing path. @param text unescaped, or as written for numbers and words */
    private record Found(JsonToken token, String text, String raw) {
        boolean absent() {
            return token == JsonToken.VALUE_NULL || (token == JsonToken.VALUE_STRING && text.isEmpty());
        }

        boolean scalar() {
            return token == JsonToken.VALUE_STRING
                    || token == JsonToken.VALUE_NUMBER_INT
                    || (token == JsonToken.VALUE_NUMBER_FLOAT && !text.contains("N") && !text.contains("I"));
        }
    }

    private final CorpusOptions options;

    SlowRouter(CorpusOptions options) {
        this.options = options;
    }

    Fate route(byte[] record) {
        try {
            String text = new String(record, UTF_8);
            String namespace = value(text, List.of(CorpusOptions.NAMESPACE_FIELD), "namespace")
                    .text();
            int field = 0;
            String tenant = "";
            for (; field < CorpusOptions.TENANT_FIELDS.size() && tenant.isEmpty(); field++) {
                tenant = optional(text, CorpusOptions.TENANT_FIELDS.get(field), "partition")
                        .map(Found::text)
                        .orElse("");
            }
            if (tenant.isEmpty()) {
                throw new Refused("missing_partition");
            }
            String name = options.partitionName().orElse(CorpusOptions.TENANT_FIELDS.get(field - 1));
            if (Folders.encode(tenant).length() > 240) {
                throw new Refused("key_too_long");
            }
            LocalDate day = day(text);
            return new Fate.Lands(Folders.path(namespace, name, tenant, day.toEpochDay()));
        } catch (Refused refused) {
            return new Fate.SetAside(String.valueOf(refused.getMessage()));
        }
    }

    private static Found value(String text, List<String> paths, String dimension) {
        for (String path : paths) {
            Optional<Found> found = optional(text, path, dimension);
            if (found.isPresent()) {
                return found.get();
            }
        }
        throw new Refused("missing_" + dimension);
    }

    private static Optional<Found> optional(String text, String path, String dimension) {
        Optional<Found> found = only(text, path).filter(value -> !value.absent());
        found.ifPresent(value -> {
            if (value.text().indexOf('\ufffd') >= 0) {
                throw new Refused("invalid_utf8");
            }
            boolean lone = value.text().codePoints().anyMatch(c -> c >= 0xd800 && c <= 0xdfff);
            if (!value.scalar() || lone) {
                throw new Refused("bad_" + dimension);
            }
        });
        return found;
    }

    /** The value at {@code path}; the same path twice with different values, its parents included, is ambiguous. */
    private static Optional<Found> only(String text, String path) {
        List<Found> current = List.of(new Found(JsonToken.START_OBJECT, text, text));
        for (String name : path.split("\\.", -1)) {
            if (current.isEmpty() || current.getFirst().token() != JsonToken.START_OBJECT) {
                return Optional.empty();
            }
            current = members(current.getFirst().raw(), name);
            if (current.stream().map(Found::text).distinct().count() > 1) {
                throw new Refused("duplicate_key");
            }
        }
        return current.stream().findFirst();
    }

    private static List<Found> members(String object, String name) {
        List<Found> found = new ArrayList<>();
        try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), object)) {
            parser.nextToken();
            while (parser.nextToken() != JsonToken.END_OBJECT) {
                boolean wanted = parser.currentName().equals(name);
                JsonToken token = parser.nextToken();
                if (!wanted) {
                    parser.skipChildren();
                } else if (token.isStructStart()) {
                    int from = (int) parser.currentTokenLocation().getCharOffset();
                    parser.skipChildren();
                    int to = (int) parser.currentTokenLocation().getCharOffset() + 1;
                    String raw = object.substring(from, to);
                    found.add(new Found(token, raw, raw));
                } else {
                    found.add(new Found(token, parser.getString(), ""));
                }
            }
            while (parser.nextToken() != null) {
                throw new IllegalArgumentException("more than one text: " + object);
            }
        }
        return found;
    }

    private static final Pattern DATE_TIME = Pattern.compile("(\\d{4})-(\\d\\d)-(\\d\\d)"
            + "(?:[Tt ](\\d\\d):(\\d\\d)(?::(\\d\\d)(?:[.,]\\d+)?)?(?:[Zz]| UTC| GMT|([+-])(\\d\\d):?(\\d\\d)?)?)?");

    private static LocalDate day(String text) {
        for (String field : CorpusOptions.TIME_FIELDS) {
            Optional<Found> found = only(text, field).filter(value -> !value.absent());
            if (found.isPresent()) {
                try {
                    return day(found.get());
                } catch (java.time.DateTimeException e) {
                    throw new Refused("bad_time");
                }
            }
        }
        throw new Refused("missing_time");
    }

    private static LocalDate day(Found value) {
        if (!value.scalar()) {
            throw new Refused("bad_time");
        }
        String text = value.text();
        if (value.token() != JsonToken.VALUE_STRING) {
            if (text.matches("\\d{8}") && isDate(text)) {
                throw new Refused("ambiguous_time");
            }
            return epochDay(new BigDecimal(text));
        }
        if (text.matches("\\d{9,}")) {
            return epochDay(new BigDecimal(text));
        }
        if (text.matches("\\d{8}")) {
            return LocalDate.parse(text, java.time.format.DateTimeFormatter.BASIC_ISO_DATE);
        }
        Matcher iso = DATE_TIME.matcher(text);
        if (!iso.matches()) {
            throw new Refused("bad_time");
        }
        LocalDate date = LocalDate.of(number(iso, 1), number(iso, 2), number(iso, 3));
        if (iso.group(4) == null) {
            return date;
        }
        int hour = number(iso, 4);
        int minute = number(iso, 5);
        int second = number(iso, 6);
        if (hour == 24 && minute == 0 && second == 0) {
            return date.plusDays(1);
        }
        LocalDateTime time = date.atTime(hour, minute, second == 60 ? 59 : second);
        if (iso.group(7) == null) {
            return time.toLocalDate();
        }
        int minutes = number(iso, 8) * 60 + number(iso, 9);
        return time.plusMinutes(iso.group(7).equals("-") ? minutes : -minutes).toLocalDate();
    }

    private static boolean isDate(String text) {
        try {
            LocalDate.parse(text, java.time.format.DateTimeFormatter.BASIC_ISO_DATE);
            return true;
        } catch (java.time.DateTimeException e) {
            return false;
        }
    }

    private static int number(Matcher matcher, int group) {
        return matcher.group(group) == null ? 0 : Integer.parseInt(matcher.group(group));
    }

    private static LocalDate epochDay(BigDecimal number) {
        int[] powers = {11, 14, 17, 20};
        for (int i = 0; i < powers.length; i++) {
            if (number.abs().compareTo(BigDecimal.TEN.pow(powers[i])) < 0) {
                BigInteger second = number.movePointLeft(3 * i)
                        .setScale(0, RoundingMode.FLOOR)
                        .toBigInteger();
                return LocalDateTime.ofEpochSecond(second.longValueExact(), 0, ZoneOffset.UTC)
                        .toLocalDate();
            }
        }
        throw new Refused("bad_time");
    }
}
