"""Keys that are planted, and looked for everywhere afterwards.

Nothing in their form says that they are keys: only who knows them can keep them out.
"""

KEY_VARIABLE = "CLOUD_API_TOKEN"
KEY_IN_THE_ENVIRONMENT = "planted-in-the-environment-4f1c9a77e2"
KEY_IN_THE_STORE = "planted-in-the-store-b83d05c6aa19"
KEY_REFUSED = "planted-and-refused-77ad01f3be52"
KEYS = (KEY_IN_THE_ENVIRONMENT, KEY_IN_THE_STORE, KEY_REFUSED)
