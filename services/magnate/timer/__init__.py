"""The timer: wakes the owner of a deadline when its time has come.

Stores nothing of its own but alarms and a cache. Promises: every deadline in the log is announced to its
owner, not before its time, soon after it, and after any downtime; and announcing too early, too late or twice
harms nothing, because the owner decides from the log.
"""
