"""Reads an interchange with a parser that is not ours and prints what it says as JSON."""

import json
import sys
import warnings

from pydifact.segmentcollection import Interchange

warnings.simplefilter("ignore")
with open(sys.argv[1], encoding="iso8859-1") as file:
    interchange = Interchange.from_str(file.read())
messages = []
for message in interchange.get_messages():
    segments = [[segment.tag, *segment.elements] for segment in message.segments]
    messages.append({"reference": message.reference_number, "identifier": message.identifier, "segments": segments})
all_segments = [[segment.tag, *segment.elements] for segment in interchange.segments]
print(
    json.dumps(
        {
            "sender": interchange.sender,
            "recipient": interchange.recipient,
            "reference": interchange.control_reference,
            "footer": interchange.get_footer_segment().elements,
            "messages": messages,
            "segments": all_segments,
        }
    )
)
