import type { Endpoint } from '../endpoint/endpoint.ts'
import { ServiceError } from '../errors/service-error.ts'
import { TransportError } from '../errors/transport-error.ts'
import type { HttpResponse } from '../http/transport.ts'
import { insertEntity } from '../operations/insert-entity.ts'
import { hasSameContent } from '../reconcile/reconcile-entity.ts'
import {
  type Operation,
  type Reconciliation,
  type Settlement,
  UNDECIDED,
  type Witness,
} from '../request/operation.ts'
import { readPartErrorBody } from '../response/service-error.ts'
import type { Change } from '../transaction/check-change-set.ts'
import { decodeChangeSet } from '../transaction/decode-change-set.ts'
import { batchRequest } from '../transaction/encode-change-set.ts'
import { fenceMarker, type Marker, type MarkerState, readMarker } from './marker.ts'
import type { WritePlan } from './write-plan.ts'

/** The codes of rejections that only exact writes have; callers never see them. */
export const MARKER_CODES = {
  /** The marker is stored already. */
  exists: 'MarkerExists',
  /** The marker is stored as a fence, so the write needs another marker. */
  fenced: 'MarkerIsFence',
  /** The marker belongs to another write. */
  reused: 'MarkerOfOtherWrite',
} as const

/** The parts of an exact write. */
export interface ExactWriteParts<Output> {
  readonly plan: WritePlan<Output>
  readonly marker: Marker
  readonly endpoint: Endpoint
  /** Returns milliseconds since 1970, UTC, on this machine. */
  readonly now: () => number
  /**
   * Receives whether an attempt may still arrive, when the write has succeeded without being
   * settled.
   */
  readonly onSuccess: (isInDoubt: boolean) => void
}

/**
 * Makes an exact write: a transaction of the write's changes and the marker. A second attempt fails on
 * the marker, so the write is applied at most once, and the marker shows whether it was.
 *
 * @param operation - the write, or one with the same name and other results
 * @param parts - its changes, and the marker
 */
export function exactWrite<Input, Output>(
  operation: Operation<Input, Output>,
  parts: ExactWriteParts<Output>,
): Operation<Input, Output> {
  const { plan, marker, endpoint, now } = parts
  const changes = [{ operation: insertEntity, input: marker.row }, ...plan.changes]
  return {
    name: operation.name,
    statuses: [202],
    toRequest: () =>
      batchRequest(
        changes.map((change) => change.operation.toRequest(change.input, endpoint)),
        endpoint,
      ),
    fromResponse(response) {
      const results = decodeChangeSet(response)
      const failed = results.find(({ status }) => status >= 300)
      if (failed === undefined) return plan.toOutput(results.slice(1))
      if (isOfMarker(failed)) throw markerError(operation.name, MARKER_CODES.exists)
      return plan.toFailure(failed, { response, endpoint, now })
    },
    // A write reads its output at once.
    reconcile: exactReconciliation(operation.name, parts) as Reconciliation<
      unknown,
      Awaited<Output>
    >,
  }
}

/** Fences first, and looks then: afterwards no late attempt can be applied. */
function exactReconciliation<Output>(
  name: string,
  { plan, marker, onSuccess }: ExactWriteParts<Output>,
): Reconciliation<unknown, Output> {
  return {
    async settle(rejection, _input, witness) {
      const state = await fenceMarker(marker, witness)
      if (state === 'fence') return { outcome: 'rejected', error: rejection }
      return settlementOf(name, state, () => storedOutput(plan, witness))
    },
    async conclude(error, _input, witness) {
      const isStored = error instanceof ServiceError && error.code === MARKER_CODES.exists
      const state = await (isStored ? readMarker : fenceMarker)(marker, witness)
      if (state === 'fence' && !isStored) {
        return { outcome: 'rejected', error: notApplied(name, error) }
      }
      return settlementOf(name, state, () => storedOutput(plan, witness))
    },
    async resolve(_input, witness) {
      const state = await fenceMarker(marker, witness)
      if (state === 'written') return 'applied'
      return state === 'missing' ? 'unknown' : 'not applied'
    },
    succeeded: onSuccess,
  }
}

async function settlementOf<Output>(
  name: string,
  state: MarkerState,
  toOutput: () => Promise<Output>,
): Promise<Settlement<Output>> {
  switch (state) {
    case 'written':
      return { outcome: 'applied', output: await toOutput() }
    case 'fence':
      return { outcome: 'rejected', error: markerError(name, MARKER_CODES.fenced) }
    case 'other write':
      return { outcome: 'rejected', error: markerError(name, MARKER_CODES.reused) }
    case 'missing':
      return UNDECIDED
  }
}

/** The output of a write whose response was lost, with the ETags of rows that have its content. */
async function storedOutput<Output>(plan: WritePlan<Output>, witness: Witness): Promise<Output> {
  const parts: HttpResponse[] = []
  for (const change of plan.changes) {
    const etag = await storedEtag(change, witness)
    parts.push({ status: 204, headers: etag === undefined ? {} : { etag }, body: '' })
  }
  const output = plan.toOutput(parts)
  for (const result of [output].flat()) {
    if (typeof result !== 'object' || result === null) continue
    const isRead = 'etag' in result && result.etag !== undefined
    // No response said so.
    Object.assign(result, { status: undefined, ...(isRead && { etagIsOwn: false }) })
  }
  return output
}

/** After a merge, other properties may have changed since, so its ETag would vouch for too much. */
async function storedEtag(
  { operation, input }: Change,
  witness: Witness,
): Promise<string | undefined> {
  if (!WHOLE_WRITES.has(operation.name)) return undefined
  const found = await witness.entity(input.table, input.key)
  return found !== undefined && hasSameContent(input.body, found.raw) ? found.etag : undefined
}

const WHOLE_WRITES: ReadonlySet<string> = new Set([
  'insertEntity',
  'updateEntity',
  'insertOrReplaceEntity',
])

/**
 * The service writes the index of the failed change before its message; the marker is the first.
 */
function isOfMarker(part: HttpResponse): boolean {
  const { code, message } = readPartErrorBody(part)
  return code === 'EntityAlreadyExists' && message.startsWith('0:')
}

/** A stored marker leaves it open who stored it, and why. */
function markerError(operation: string, code: string): ServiceError {
  const message = `${operation}: the marker of this exact write is stored already.`
  const mayHaveApplied = code === MARKER_CODES.exists
  return new ServiceError({
    ...{ message, status: 409, code, requestId: undefined, operation, mayHaveApplied },
  })
}

function notApplied(name: string, cause: unknown): TransportError {
  const last = cause instanceof Error ? ` The last error: ${cause.message}` : ''
  return new TransportError({
    message: `${name} was not applied: a fence is stored, so late attempts change nothing. Try again.${last}`,
    mayHaveApplied: false,
    cause,
  })
}
