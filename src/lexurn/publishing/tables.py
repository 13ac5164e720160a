"""Tables of the state of a site and of a run, and the queries that compare the two."""

from __future__ import annotations

from lexurn.publishing import entries, server

VERSION = 1
"""Version of the tables of a site."""

SITE_SCHEMA = f"""
PRAGMA user_version = {VERSION};
CREATE TABLE pending (work TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE alias_set (
    key TEXT PRIMARY KEY, digest BLOB NOT NULL, data TEXT NOT NULL, content BLOB NOT NULL,
    since TEXT NOT NULL, until TEXT NOT NULL, has_remarks INTEGER NOT NULL,
    is_stale INTEGER NOT NULL
);
CREATE INDEX stale ON alias_set (key) WHERE is_stale;
CREATE TABLE name (
    path BLOB PRIMARY KEY, name TEXT NOT NULL, alias_set TEXT NOT NULL, has_left INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX name_alias_set ON name (alias_set, has_left);
CREATE TABLE file (path TEXT PRIMARY KEY, digest BLOB NOT NULL, alias_set TEXT);
CREATE INDEX file_alias_set ON file (alias_set);
CREATE TABLE link (
    alias_set TEXT, path BLOB, is_found INTEGER NOT NULL, PRIMARY KEY (alias_set, path)
) WITHOUT ROWID;
CREATE TABLE amendment (
    alias_set TEXT, amending TEXT, amended TEXT, PRIMARY KEY (alias_set, amending, amended)
) WITHOUT ROWID;
CREATE INDEX amendment_amending ON amendment (amending, amended);
CREATE TABLE changed_list (folder TEXT, year TEXT, PRIMARY KEY (folder, year)) WITHOUT ROWID;
CREATE TABLE chunk (
    key TEXT PRIMARY KEY, digest BLOB NOT NULL, start INTEGER NOT NULL, length INTEGER NOT NULL,
    checksum INTEGER NOT NULL, counts TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE copy (
    chunk TEXT, digest BLOB, is_item INTEGER NOT NULL, PRIMARY KEY (digest, chunk)
) WITHOUT ROWID;
{entries.SCHEMA}{server.SCHEMA}
"""
ROW_SCHEMA = """
CREATE TABLE IF NOT EXISTS site.cached_row (key BLOB PRIMARY KEY, data BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS site.reject (
    digest BLOB PRIMARY KEY, times INTEGER NOT NULL, since INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS site.kept (name TEXT PRIMARY KEY, last INTEGER NOT NULL) WITHOUT ROWID;
"""
"""Tables of rows that need not be read again, of rejected rows, with the run since which each is
rejected, and of names that are missing and stay, with the last run that had them. A run has a new
number only if it rejects other rows."""
RUN_SCHEMA = """
CREATE TABLE new_row (key BLOB PRIMARY KEY, data BLOB NOT NULL);
CREATE TABLE rejected (digest BLOB PRIMARY KEY, times INTEGER NOT NULL, since INTEGER);
CREATE TABLE staying (name TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE seen (key TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE incoming (
    key TEXT PRIMARY KEY, digest BLOB NOT NULL, data TEXT NOT NULL, content BLOB NOT NULL,
    since TEXT NOT NULL, until TEXT NOT NULL, has_remarks INTEGER NOT NULL
);
CREATE TABLE claim (
    path BLOB PRIMARY KEY, name TEXT NOT NULL, alias_set TEXT NOT NULL, has_left INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX claim_alias_set ON claim (alias_set);
CREATE TABLE new_amendment (
    alias_set TEXT, amending TEXT, amended TEXT, PRIMARY KEY (alias_set, amending, amended)
) WITHOUT ROWID;
CREATE TABLE new_copy (
    chunk TEXT, digest BLOB, is_item INTEGER NOT NULL, PRIMARY KEY (digest, chunk)
) WITHOUT ROWID;
CREATE TABLE replaced (key TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE gone (key TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TEMP VIEW unseen AS SELECT key FROM alias_set WHERE key NOT IN seen;
"""
"""Tables of a run; the alias sets of the site that it replaces, and those that it leaves out."""
FIND_REPLACED = (
    "INSERT INTO replaced SELECT key FROM incoming UNION SELECT key FROM unseen",
    "INSERT INTO gone SELECT key FROM replaced EXCEPT SELECT key FROM incoming",
)
REPLACE_SETS = (
    # A run that was killed may have written files of what was still to be written.
    "UPDATE file SET digest = x'' WHERE alias_set IN (SELECT key FROM alias_set WHERE is_stale)",
    # A page lists the acts that its act amends.
    """
UPDATE alias_set SET is_stale = 1 WHERE key IN (
    SELECT alias_set FROM name WHERE name IN (
        SELECT amending FROM (
            SELECT amending, amended FROM amendment WHERE alias_set IN replaced
            EXCEPT SELECT amending, amended FROM new_amendment)
        UNION SELECT amending FROM (
            SELECT amending, amended FROM new_amendment
            EXCEPT SELECT amending, amended FROM amendment)))
""",
    "DELETE FROM amendment WHERE alias_set IN replaced",
    "INSERT INTO amendment SELECT * FROM new_amendment",
    "DELETE FROM name WHERE alias_set IN replaced",
    "INSERT INTO name SELECT * FROM claim",
    "INSERT OR IGNORE INTO changed_list SELECT folder, year FROM act WHERE alias_set IN gone",
    "DELETE FROM act WHERE alias_set IN gone",
    "DELETE FROM page WHERE alias_set IN gone",
    "DELETE FROM exception WHERE alias_set IN gone",
    "DELETE FROM link WHERE alias_set IN gone",
    "UPDATE file SET alias_set = '' WHERE alias_set IN gone",
    "DELETE FROM alias_set WHERE key IN replaced",
    "INSERT INTO alias_set SELECT *, 1 FROM incoming",
    # A page links to names that have a page.
    """
UPDATE alias_set SET is_stale = 1 WHERE key IN (
    SELECT link.alias_set FROM link LEFT JOIN name USING (path)
    WHERE link.is_found = (name.path IS NULL))
""",
)
FIND_CURRENT_SETS = """
SELECT key, digest FROM alias_set WHERE key IN (SELECT value FROM json_each(?1))
    AND since <= ?2 AND ?2 < until AND NOT is_stale AND NOT has_remarks
"""
KEEP_UNSEEN = """
INSERT INTO seen SELECT key FROM unseen CROSS JOIN alias_set AS known USING (key)
WHERE NOT is_stale AND NOT has_remarks AND since <= :day AND :day < until
    AND key NOT IN (SELECT key FROM incoming)
    AND NOT EXISTS (
        SELECT 1 FROM name JOIN claim USING (path) WHERE name.alias_set = known.key)
    AND NOT EXISTS (
        SELECT 1 FROM name WHERE name.alias_set = known.key AND NOT name.has_left
        AND name.name NOT IN staying)
"""
LIST_LEAVING_NAMES = """
SELECT name.name, name.alias_set, name.has_left FROM name LEFT JOIN claim USING (path)
WHERE claim.path IS NULL AND name.alias_set IN unseen
ORDER BY name.alias_set, name.name
"""
MARK_EQUAL_SETS = (
    """
CREATE TEMP TABLE equal AS SELECT key, incoming.has_remarks FROM incoming
JOIN alias_set AS known USING (key)
WHERE incoming.digest = known.digest AND incoming.content = known.content AND NOT known.is_stale
    AND (SELECT count(*) FROM claim WHERE alias_set = key AND has_left)
        = (SELECT count(*) FROM name WHERE alias_set = key AND has_left)
""",
    """
UPDATE alias_set SET has_remarks = equal.has_remarks FROM equal
WHERE alias_set.key = equal.key AND alias_set.has_remarks != equal.has_remarks
""",
    "INSERT INTO seen SELECT key FROM equal",
    "DELETE FROM incoming WHERE key IN (SELECT key FROM equal)",
    "DELETE FROM claim WHERE alias_set IN (SELECT key FROM equal)",
    "DELETE FROM new_amendment WHERE alias_set IN (SELECT key FROM equal)",
    "DROP TABLE equal",
)
FORGET_LISTS = (
    """
DELETE FROM folder WHERE NOT EXISTS (
    SELECT 1 FROM act WHERE act.folder >= folder.path
    AND act.folder < substr(folder.path, 1, length(folder.path) - 1) || '0')
""",
    "DELETE FROM concept WHERE folder NOT IN (SELECT path FROM folder)",
)
ADD_REJECTS = (
    """
UPDATE rejected SET since = coalesce(
    (SELECT since FROM reject
    WHERE reject.digest = rejected.digest AND reject.times >= rejected.times),
    (SELECT coalesce(max(since), 0) + 1 FROM reject))
""",
    """
INSERT INTO staying SELECT name.name FROM name LEFT JOIN claim USING (path)
WHERE claim.path IS NULL AND NOT name.has_left
    AND name.alias_set IN unseen
""",
    # A row that was rejected when a name was in the input is not the row of that name.
    """
DELETE FROM staying
WHERE coalesce((SELECT last FROM kept WHERE kept.name = staying.name),
    (SELECT max(since) FROM reject), 0) >= coalesce((SELECT max(since) FROM rejected), 0)
""",
)
COUNT_NEW_REJECTS = """
SELECT coalesce(sum(max(rejected.times - coalesce(reject.times, 0), 0)), 0)
FROM rejected LEFT JOIN reject USING (digest)
"""
SAVE_REJECTS = (
    "DELETE FROM kept WHERE name NOT IN staying",
    """
INSERT OR IGNORE INTO kept
SELECT name, (SELECT coalesce(max(since), 0) FROM reject) FROM staying
""",
    "DELETE FROM reject WHERE (digest, times, since) NOT IN rejected",
    "INSERT OR IGNORE INTO reject SELECT digest, times, since FROM rejected",
)
FIND_UNFINISHED = """
SELECT 1 FROM pending UNION ALL SELECT 1 FROM alias_set WHERE is_stale
UNION ALL SELECT 1 FROM changed_list UNION ALL SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM setting)
"""
_WORKS = """
FROM incoming WHERE EXISTS (SELECT 1 FROM claim WHERE alias_set = key AND NOT has_left)
AND ?1 = EXISTS (
    SELECT 1 FROM claim JOIN name USING (path) WHERE claim.alias_set = key AND NOT name.has_left)
"""
COUNT_WORKS = f"SELECT count(*) {_WORKS}"
LIST_WORKS = f"SELECT key {_WORKS} ORDER BY key LIMIT ?2"
LIST_STALE_FILES = """
SELECT alias_set, path, file.digest FROM alias_set JOIN file ON alias_set = key
WHERE is_stale AND key >= ? AND key < ?
"""
LIST_STALE_AMENDMENTS = """
SELECT DISTINCT key, amending, amended
FROM alias_set JOIN name ON name.alias_set = key JOIN amendment ON amending = name.name
WHERE is_stale AND key >= ? AND key < ? ORDER BY amending, amended
"""
LIST_SETS = "SELECT key, data, is_stale FROM alias_set WHERE key >= ? AND key < ? ORDER BY key"
FIND_RUN_SET = """
SELECT digest, data, 0 FROM incoming WHERE key = ?1
UNION ALL SELECT digest, data, 1 FROM alias_set WHERE key = ?1 AND key IN (SELECT key FROM seen)
"""
FIND_HOME = """
SELECT alias_set FROM claim WHERE path = ?1 AND NOT has_left
UNION ALL SELECT alias_set FROM name
WHERE path = ?1 AND NOT has_left AND alias_set IN (SELECT key FROM seen)
"""
LIST_LEFT_NAMES = """
SELECT alias_set, name FROM claim WHERE has_left
UNION ALL SELECT alias_set, name FROM name
WHERE has_left AND +alias_set IN (SELECT key FROM seen)
"""
LIST_OVERLAPS = """
SELECT claim.name, name.name, name.alias_set, name.has_left FROM claim JOIN name USING (path)
JOIN seen ON seen.key = name.alias_set
"""
_NAMES = """
FROM (
    SELECT alias_set FROM claim WHERE NOT has_left UNION ALL
    SELECT alias_set FROM name JOIN seen ON seen.key = alias_set WHERE NOT has_left)
"""
COUNT_NAMES = f"SELECT count(DISTINCT alias_set), count(*) {_NAMES}"
FIND_NAME = f"SELECT 1 {_NAMES} LIMIT 1"
