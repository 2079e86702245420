import { BatchError } from '../errors/batch-error.ts'
import type { HttpResponse } from '../http/transport.ts'
import { entityName } from '../request/resource.ts'
import { readRetryAfter } from '../response/response-headers.ts'
import { mayHaveAppliedAfter, readPartErrorBody } from '../response/service-error.ts'
import type { Change } from './check-change-set.ts'

const INDEX = /^(\d{1,3}):/

/**
 * Makes the error for a failed part of a transaction's response.
 *
 * The service writes the index of the change before its message. It omits the index for most
 * transactions of one change, where it can only be 0.
 *
 * @param part - the failed part
 * @param changes - the changes of the transaction
 * @param requestId - the service's id of the whole request
 * @param before - how many changes were sent before these, such as the marker of an exact write
 */
export function batchErrorOf(
  part: HttpResponse,
  changes: readonly Change[],
  requestId: string | undefined,
  before = 0,
): BatchError {
  const body = readPartErrorBody(part)
  const prefix = INDEX.exec(body.message)
  const found = prefix ? Number(prefix[1]) - before : changes.length === 1 ? 0 : -1
  const change = changes[found]
  const index = change && found
  const said = prefix ? body.message.slice(prefix[0].length) : body.message
  const words = isTableMissing(body.code, prefix, changes) ? `${said}${tableHint(changes)}` : said
  const facts = `${part.status} ${body.code}${requestId ? `, request id ${requestId}` : ''}`
  const mayHaveApplied = mayHaveAppliedAfter(part.status, body.code)
  return new BatchError({
    message: `${nameOf(change, index)} failed${mayHaveApplied ? '' : ', so no change was applied'}: ${words} (${facts})${adviceFor(part.status, body.code)}`,
    status: part.status,
    code: body.code,
    requestId,
    operation: 'entityGroupTransaction',
    mayHaveApplied,
    index,
    retryAfter: readRetryAfter(part.headers),
    change: change && { operation: change.operation.name, key: change.input.key },
  })
}

function nameOf(change: Change | undefined, index: number | undefined): string {
  if (change === undefined) return 'The entity group transaction'
  return `Change ${index} of the entity group transaction, ${change.operation.name} of ${entityName(change.input)},`
}

/**
 * Tells whether the table is missing although the code is that of a missing entity, as on Cosmos DB. The
 * response then has no index. An insert alone cannot fail for a missing entity.
 */
function isTableMissing(code: string, prefix: unknown, changes: readonly Change[]): boolean {
  if (code !== 'ResourceNotFound' || prefix !== null) return false
  return changes.length > 1 || changes[0]?.operation.needsEntity === false
}

function adviceFor(status: number, code: string): string {
  if (status === 412)
    return '. The entity changed since it was read: reload it and repeat the batch.'
  return code === 'TableNotFound' ? '. Create the table with create(), or check its name.' : ''
}

function tableHint([change]: readonly Change[]): string {
  return change === undefined ? '' : ` The table ${change.input.table} may be missing.`
}
