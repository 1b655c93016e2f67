/** S3 as source, sink and staging. */
@NullMarked
package dev.stet.aws.s3;

import org.jspecify.annotations.NullMarked;
