package dev.stet.infra;

/**
 * Something that a role is used for.
 *
 * @param role logical id of the role
 * @param arn as the template has it: references stand as {@code <ID.Arn>}
 * @param why the request, or what in the template asks for it
 */
record Need(String role, String action, String arn, String why) {}
