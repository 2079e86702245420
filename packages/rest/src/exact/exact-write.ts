import type { Endpoint } from '../endpoint/endpoint.ts'
import { EntityNotFoundError, ServiceError } from '../errors/service-error.ts'
import { TransportError } from '../errors/transport-error.ts'
import type { HttpResponse } from '../http/transport.ts'
import { insertEntity } from '../operations/insert-entity.ts'
import { hasSameContent } from '../reconcile/reconcile-entity.ts'
import type { WriteResult } from '../request/entity-write.ts'
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
import { endMarker, fenceMarker, type Marker, type MarkerReading, readMarker } from './marker.ts'
import type { ExpectedRejections, WritePlan } from './write-plan.ts'

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
  /** Whether the marker has a caller's key, so that another call can repeat the write. */
  readonly isKeyed: boolean
  /** Returns milliseconds since 1970, UTC, on this machine. */
  readonly now: () => number
  /**
   * Receives when the marker was stored, by the service's clock, if no attempt of the write is in doubt.
   */
  readonly onFinished: (storedAt: number) => void
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
    fromResponse(response, _input, strict) {
      const results = decodeChangeSet(response)
      const failed = results.find(({ status }) => status >= 300)
      if (failed === undefined) {
        const output = plan.toOutput(results.slice(1))
        const storedAt = Date.parse(response.headers.date ?? '')
        if (strict !== true && !Number.isNaN(storedAt)) parts.onFinished(storedAt)
        return output
      }
      if (isOfMarker(failed)) throw markerError(operation.name, MARKER_CODES.exists)
      return readFailure(failed, plan.toError(failed, { response, endpoint, now }), parts, strict)
    },
    // A write reads its output at once.
    reconcile: exactReconciliation(operation.name, parts) as Reconciliation<
      unknown,
      Awaited<Output>
    >,
  }
}

/**
 * Reads a rejection: an output that the operation expects, or an error. With a caller's key, what is expected ends the
 * write too, and a repetition must find that out: it stays in doubt until the marker says so.
 */
function readFailure<Output>(
  { status }: HttpResponse,
  error: ServiceError,
  { plan, isKeyed }: ExactWriteParts<Output>,
  strict: boolean | undefined,
): Output {
  const expected = expectationOf(error, plan)
  if (expected === undefined) throw error
  if (isKeyed) throw Object.assign(error, { mayHaveApplied: true })
  if (strict === true) throw error
  return expected.toOutput(status)
}

/**
 * Fences first, and looks then: afterwards no late attempt can be applied. A rejection that the operation expects ends the write
 * instead: then no repetition by the caller's key is applied either.
 */
function exactReconciliation<Output>(
  name: string,
  parts: ExactWriteParts<Output>,
): Reconciliation<unknown, Output> {
  const { plan, marker } = parts
  return {
    async conclude(error, _input, witness) {
      if (error instanceof ServiceError && expectationOf(error, plan) !== undefined) {
        return settlementOf(name, await endMarker(marker, error.status, witness), plan, witness)
      }
      const isStored = error instanceof ServiceError && error.code === MARKER_CODES.exists
      const found = await (isStored ? readMarker : fenceMarker)(marker, witness)
      if (found.state === 'fence' && !isStored) {
        const isRejection = error instanceof ServiceError && !error.mayHaveApplied
        return { outcome: 'rejected', error: isRejection ? error : notApplied(name, error) }
      }
      return settlementOf(name, found, plan, witness)
    },
    async resolve(_input, witness) {
      const { state, rejectedWith } = await fenceMarker(marker, witness)
      if (state === 'written' && rejectedWith === undefined) return 'applied'
      return state === 'missing' ? 'unknown' : 'not applied'
    },
  }
}

function expectationOf<Output>(
  { code }: ServiceError,
  { expected }: WritePlan<Output>,
): ExpectedRejections<Output> | undefined {
  return expected?.codes.includes(code) ? expected : undefined
}

async function settlementOf<Output>(
  name: string,
  { state, rejectedWith }: MarkerReading,
  plan: WritePlan<Output>,
  witness: Witness,
): Promise<Settlement<Output>> {
  switch (state) {
    case 'written':
      if (rejectedWith !== undefined) return endedSettlement(name, rejectedWith, plan)
      return { outcome: 'applied', output: await storedOutput(plan, witness) }
    case 'fence':
      return { outcome: 'rejected', error: markerError(name, MARKER_CODES.fenced) }
    case 'other write':
      return { outcome: 'rejected', error: markerError(name, MARKER_CODES.reused) }
    case 'missing':
      return UNDECIDED
  }
}

/** A call with the same key expected the rejection; this call may not. */
function endedSettlement<Output>(
  operation: string,
  status: number,
  { expected }: WritePlan<Output>,
): Settlement<Output> {
  if (expected !== undefined) return { outcome: 'applied', output: expected.toOutput(status) }
  const message = `${operation}: an earlier call with this idempotencyKey found no entity, and ended the write without effect. Make a new key for a new write.`
  const error = new EntityNotFoundError({
    ...{ message, status, code: 'ResourceNotFound', requestId: undefined, operation },
    mayHaveApplied: false,
  })
  return { outcome: 'rejected', error }
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
    // An operation of the caller may return anything; only an object is changed.
    const settled: WriteResult = Object(result)
    // No response said so.
    Object.assign(settled, { status: undefined, ...(settled.etag && { etagIsOwn: false }) })
  }
  return output
}

/**
 * Returns the ETag of a whole write whose content is still stored. After a merge it returns `undefined`:
 * another program may have changed other properties, and the stored ETag covers those too.
 */
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
    message: `${name} was not applied, and a late attempt can no longer apply it. You can safely try again.${last}`,
    mayHaveApplied: false,
    cause,
  })
}
