"""Prints the template that a Terraform example hands to CloudFormation: the argument of jsonencode, with variables at their defaults."""
import json
import re
import sys

import hcl2


def plain(value):
    """Without the quotes and marks that the parser keeps."""
    if isinstance(value, dict):
        return {plain(k): plain(v) for k, v in value.items() if not k.startswith("__")}
    if isinstance(value, list):
        return [plain(v) for v in value]
    if isinstance(value, str) and len(value) > 1 and value[0] == value[-1] == '"':
        return value[1:-1]
    return value


def block(blocks, *names):
    for one in blocks:
        found = one
        for name in names:
            found = found.get(name) if isinstance(found, dict) else None
        if found is not None:
            return found
    raise SystemExit(f"no {names}")


with open(sys.argv[1]) as file:
    module = plain(hcl2.load(file))
defaults = {name: v.get("default") for one in module["variable"] for name, v in one.items()}
body = block(module["resource"], "aws_cloudformation_stack", "pipeline")["template_body"]
inner = re.fullmatch(r"\$\{jsonencode\((.*)\)\}", body, re.S)
if not inner:
    raise SystemExit(f"not a jsonencode: {body}")
text = re.sub(r"\$\{var\.(\w+)\}", lambda m: defaults[m[1]], inner[1])
text = re.sub(r"\bvar\.(\w+)\b", lambda m: json.dumps(defaults[m[1]]), text)
print(json.dumps(plain(hcl2.loads("x = " + text + "\n"))["x"]))
