import type { Endpoint } from '../endpoint/endpoint.ts'
import type { ServiceError } from '../errors/service-error.ts'
import type { HttpResponse } from '../http/transport.ts'
import { type ChangeSet, readResults } from '../operations/entity-group-transaction.ts'
import { entityReconciliations } from '../reconcile/reconcile-entity.ts'
import type { EntityWrite } from '../request/entity-write.ts'
import type { Operation } from '../request/operation.ts'
import { tableSegment } from '../request/path.ts'
import type { RejectedRequest } from '../response/authentication-advice.ts'
import { requestIdOf } from '../response/response-headers.ts'
import { batchErrorOf } from '../transaction/batch-error.ts'
import { invalidBatch } from '../transaction/change-set-part.ts'
import { MOST_CHANGES } from '../transaction/change-set-size.ts'
import { type Change, checkChangeSet } from '../transaction/check-change-set.ts'
import { partErrorOf, withHeadersOf } from '../transaction/part-error.ts'

/** A write as the changes of a transaction. */
export interface WritePlan<Output> {
  /** The table of the changes. */
  readonly table: string
  /** The changes, at least one, of one partition. */
  readonly changes: readonly Change[]
  /** Reads the output of the write from the responses to its changes. */
  toOutput(parts: readonly HttpResponse[]): Output
  /** Reads the error of a failed change. */
  toError(part: HttpResponse, failed: FailedPlan): ServiceError
  /** The rejections that the operation expects as an outcome; `undefined` when it expects none. */
  readonly expected?: ExpectedRejections<Output> | undefined
}

/** The rejections that an operation expects as an outcome, such as the 404 of `deleteEntityIfExists`. */
export interface ExpectedRejections<Output> {
  /** The service's codes. */
  readonly codes: readonly string[]
  /** Reads the output of a rejection with one of these codes from its status. */
  toOutput(status: number): Output
}

/** The facts that describe an error of a plan. */
export interface FailedPlan extends RejectedRequest {
  readonly response: HttpResponse
}

/** The operations that change one entity. */
const WRITES: ReadonlySet<string> = new Set(Object.keys(entityReconciliations))

/**
 * Plans an operation as changes; `undefined` for an operation that does not change entities.
 *
 * @param operation - any operation
 * @param input - its input
 * @param endpoint - the account
 * @throws `InputError` (`InvalidBatch`) for a transaction that has no room for a marker
 */
export function planOf<Input, Output>(
  operation: Operation<Input, Output>,
  input: Input,
  endpoint: Endpoint,
): WritePlan<Output> | undefined {
  if (WRITES.has(operation.name)) return hasPlace(input) ? planOfOne(operation, input) : undefined
  if (operation.name !== 'entityGroupTransaction') return undefined
  const { table, changes } = input as Input & ChangeSet
  tableSegment(endpoint, table)
  checkChangeSet(table, changes, endpoint)
  if (!changes.every((change) => WRITES.has(change.operation.name))) return undefined
  checkRoom(changes)
  return {
    table,
    changes,
    toOutput: (parts) => readResults(parts, changes) as Output,
    toError: (part, { response }) => batchErrorOf(part, changes, requestIdOf(response), 1),
  }
}

function planOfOne<Input, Output>(
  operation: Operation<Input, Output>,
  input: Input & EntityWrite,
): WritePlan<Output> {
  // The name says that it is one of the six writes, or like one of them.
  const change = { operation: operation as unknown as Change['operation'], input }
  return {
    table: input.table,
    changes: [change],
    toOutput: (parts) => readResults(parts, [change])[0] as Output,
    toError: (part, { response, ...account }) =>
      partErrorOf(operation, input, withHeadersOf(part, response), account),
    expected: operation.expects && {
      codes: operation.expects,
      toOutput: (status) => operation.fromResponse({ status, headers: {}, body: '' }, input),
    },
  }
}

/** The marker is a change too. */
function checkRoom(changes: readonly Change[]): void {
  if (changes.length < MOST_CHANGES) return
  throw invalidBatch(
    `The exact entity group transaction has ${changes.length} changes, but at most ${MOST_CHANGES - 1} are allowed together with its marker. Split it into several.`,
    MOST_CHANGES - 1,
  )
}

/** A marker needs a table and a partition. Without them, the request of the write says what is missing. */
function hasPlace(input: unknown): input is EntityWrite {
  const { table, key } = Object(input)
  return typeof table === 'string' && typeof key?.partitionKey === 'string'
}
