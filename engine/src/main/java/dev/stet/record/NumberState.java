package dev.stet.record;

/** The grammar of JSON numbers, byte by byte, for those that lie across the end of the window or look odd. */
enum NumberState {
    START,
    MINUS,
    ZERO,
    INTEGER,
    POINT,
    FRACTION,
    EXPONENT,
    EXPONENT_SIGN,
    EXPONENT_DIGITS,
    /** The byte is not part of the number. */
    END;

    /** Whether a number may end here. */
    boolean complete() {
        return this == ZERO || this == INTEGER || this == FRACTION || this == EXPONENT_DIGITS;
    }

    NumberState after(byte c) {
        return switch (c) {
            case '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> afterDigit(c == '0');
            case '-' -> this == START ? MINUS : this == EXPONENT ? EXPONENT_SIGN : END;
            case '+' -> this == EXPONENT ? EXPONENT_SIGN : END;
            case '.' -> this == ZERO || this == INTEGER ? POINT : END;
            case 'e', 'E' -> this != EXPONENT_DIGITS && complete() ? EXPONENT : END;
            default -> END;
        };
    }

    private NumberState afterDigit(boolean zero) {
        return switch (this) {
            case START, MINUS -> zero ? ZERO : INTEGER;
            case INTEGER -> INTEGER;
            case POINT, FRACTION -> FRACTION;
            case EXPONENT, EXPONENT_SIGN, EXPONENT_DIGITS -> EXPONENT_DIGITS;
            case ZERO, END -> END;
        };
    }
}
