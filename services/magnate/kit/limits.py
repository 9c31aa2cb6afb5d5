"""Every bound of the shared parts, with the reason for its size."""

from __future__ import annotations

from typing import Final

# Ids
COMMAND_ID_CHARS_MAX: Final = 128  # a UUID, a derived id and room; ids are kept in every snapshot
SHARDS_MAX: Final = 1024  # streams, not games; far above what one cluster syncs

# Log
COMMIT_BYTES_MAX: Final = 262_144  # the stream's max_msg_size; a commit is usually under 2 kB
LOAD_BATCH_MESSAGES: Final = 1000  # messages asked for in one direct-get batch
ACK_TIMEOUT_SECONDS: Final = 5.0  # one append attempt; longer than a slow sync, shorter than an election
READ_TIMEOUT_SECONDS: Final = 5.0  # one read attempt
CONNECT_SECONDS_MAX: Final = 30.0  # a service that starts before its server waits for it this long
RETRY_SECONDS_MAX: Final = 15.0  # retries outlast an election of a stream's leader (4 to 9 s)
RETRY_PAUSE_SECONDS_MIN: Final = 0.01  # first pause before an append is sent again
RETRY_PAUSE_SECONDS_MAX: Final = 0.5  # pauses double up to this
DUPLICATE_WINDOW_SECONDS: Final = 30  # twice the retries; the server keeps about 280 bytes an id
BEAT_SECONDS: Final = 5.0  # a watcher hears the head at least this often
FOLLOW_BEAT_SECONDS: Final = 1.0  # a follower of the whole log compares its positions this often
TAIL_QUEUE_MESSAGES: Final = 1024  # live messages waiting in one tail; more is dropped and read again
FOLLOW_QUEUE_MESSAGES: Final = 65_536  # the same for a follower of all games

# Transact
WINDOW_COMMANDS: Final = 256  # remembered commands of a game
QUEUE_PER_GAME_MAX: Final = 128  # commands waiting for one game in one instance
GAMES_CACHED_MAX: Final = 4096  # folded states kept by one instance
SNAPSHOT_EVERY_COMMITS: Final = 200  # a tail of 200 commits folds in a few milliseconds
DECIDE_ATTEMPTS_MAX: Final = 64  # each loses against another writer's commit; more is a livelock

# Alarms
ALARM_ACK_WAIT_SECONDS: Final = 30  # a fire that nobody finished comes again; longer than retries of the log
ALARM_TTL_HOURS: Final = 168  # fires that nobody fetched for a week are gone; the sweep finds what is overdue
ALARMS_IN_FLIGHT_MAX: Final = 256  # fires being carried out at once
ALARM_RETRY_SECONDS: Final = 1.0  # a fire whose handling failed comes again after this
ALARM_SET_ATTEMPTS_MAX: Final = 8  # each lost against another timer's alarm for the same game
ALARM_PLACES_MAX: Final = 20_000  # remembered places of alarms; an unknown one costs a read

# Heads
HEAD_WRITE_SECONDS: Final = 1.0  # a game's head is written at most this often
CHECKPOINT_SECONDS: Final = 5.0  # a restarted follower reads at most this much again
HEADS_CACHED_MAX: Final = 20_000  # heads a keeper holds; the others are read again when needed
HEADS_WRITING_MAX: Final = 64  # head writes in flight at once

# RPC
STREAM_CALLS_PER_MESSAGE_MAX: Final = 256  # of an open stream between services; bounds the message's size
STREAM_CALLS_WAITING_MAX: Final = 8192  # calls of one client of such a stream; more are refused at once
STREAM_CALLS_RUNNING_MAX: Final = 1024  # of one such stream in the answering service; then it stops reading
STREAM_CONNECT_SECONDS_MAX: Final = 5.0  # until the peer has shown that it is there
STREAM_BACKOFF_SECONDS_MIN: Final = 0.02  # before a broken stream is opened again; doubles up to the next
STREAM_BACKOFF_SECONDS_MAX: Final = 1.0
STREAM_DRAIN_SECONDS: Final = 1.0  # that open streams get to end by themselves when a process drains
TOKEN_CHARS_MAX: Final = 512  # a token is about 130
TOKENS_KNOWN_MAX: Final = 10_000  # verified tokens a process remembers; then it forgets all of them
ERROR_BYTES_MAX: Final = 1024  # of each text of a status: all are headers, some three times as long there
VIOLATIONS_BYTES_MAX: Final = 2048  # of all wrong fields that a status names: headers, too
HTTP_REQUEST_BYTES_MAX: Final = 8192  # head of a request to /metrics or /healthz
HTTP_REQUEST_SECONDS_MAX: Final = 5.0
STOP_SECONDS_MAX: Final = 10.0  # that one part of a process may take to stop
