/** The ledger in one DynamoDB table. */
@NullMarked
package dev.stet.aws.dynamodb;

import org.jspecify.annotations.NullMarked;
