@NullMarked
package dev.stet.infra;

import org.jspecify.annotations.NullMarked;
