/**
 * Executes Step Functions definitions in tests: the states and fields that the deployed definitions use and no others, with the service's limits. What it
 * does not know it refuses, when a definition is loaded where it can tell, else when it is met.
 */
@NullMarked
package dev.stet.asl;

import org.jspecify.annotations.NullMarked;
