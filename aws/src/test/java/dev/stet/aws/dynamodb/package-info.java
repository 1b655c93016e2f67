/** The ledger in DynamoDB, tested against an emulator and a fake. */
@NullMarked
package dev.stet.aws.dynamodb;

import org.jspecify.annotations.NullMarked;
