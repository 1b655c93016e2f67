/** Planning of a fan-out: how a source of any size is cut into tasks, from few listings or an inventory. */
@NullMarked
package dev.stet.plan;

import org.jspecify.annotations.NullMarked;
