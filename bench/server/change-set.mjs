/**
 * Transactions, written as the official clients do: Azurite only finds boundaries and addresses in
 * this form.
 */
import { writeEntity } from '../floor/entity-json.mjs'

const BATCH = 'batch_1e8b0a4c'
const CHANGES = 'changeset_1e8b0a4c'
const ORIGIN = 'http://127.0.0.1:10002'

export const TRANSACTION_TYPE = `multipart/mixed; boundary=${BATCH}`

const PART = `--${CHANGES}\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n`
const INSERT_HEADERS = [
  'Content-Type: application/json',
  'Accept: application/json;odata=minimalmetadata',
  'Prefer: return-no-content',
  'DataServiceVersion: 3.0;',
].join('\r\n')
const DELETE_HEADERS = [
  'Accept: application/json;odata=minimalmetadata',
  'If-Match: *',
  'DataServiceVersion: 3.0;',
].join('\r\n')

const writeBatch = (parts) =>
  `--${BATCH}\r\nContent-Type: multipart/mixed; boundary=${CHANGES}\r\n\r\n${parts.join('')}--${CHANGES}--\r\n--${BATCH}--\r\n`

/** Inserts of rows into the table at a path. */
export const writeInserts = (path, rows) =>
  writeBatch(
    rows.map(
      (row) =>
        `${PART}POST ${ORIGIN}${path} HTTP/1.1\r\n${INSERT_HEADERS}\r\n\r\n${writeEntity(row)}\r\n`,
    ),
  )

/** Deletes of the rows at some paths. */
export const writeDeletes = (paths) =>
  writeBatch(
    paths.map((path) => `${PART}DELETE ${ORIGIN}${path} HTTP/1.1\r\n${DELETE_HEADERS}\r\n\r\n\r\n`),
  )
