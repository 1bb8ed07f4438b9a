# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""valid.py SCHEMA JSON...: validates documents against a JSON Schema; and that the schema refuses what it should."""
import copy
import json
import sys

import jsonschema

schema = json.load(open(sys.argv[1]))
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)
for path in sys.argv[2:]:
    document = json.load(open(path))
    validator.validate(document)
    for spoil in ("del d['schema']", "d['schema'] = 'gpuperf/2'", "del d['predictions'][0]['time_ns']", "d['predictions'][0]['confidence'] = 2", "d['findings'] = {}",
                  "d['predictions'][0]['limiter'] = 'luck'"):
        d = copy.deepcopy(document)
        exec(spoil)
        if validator.is_valid(d):
            sys.exit(path + ": valid after " + spoil)
    print("valid:", len(document["predictions"]), "predictions,", len(document["findings"]), "findings")
