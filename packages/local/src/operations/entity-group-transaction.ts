import { checkPermission } from '../access/permissions.ts'
import { Rejection } from '../rejection/rejection.ts'
import { preferenceOf } from '../request/content-negotiation.ts'
import { type RequestText, readRequest } from '../request/read-request.ts'
import { checkWritable } from '../request/request-checks.ts'
import type { ServiceRequest } from '../request/service-request.ts'
import { jsonRejection } from '../response/rejection-response.ts'
import type { ServiceResponse } from '../response/service-response.ts'
import type { Service } from '../service/service.ts'
import { applyChanges, checkChangeCount, decodeChanges } from '../transaction/apply-change-set.ts'
import { readBatch } from '../transaction/read-batch.ts'
import {
  type PartResponse,
  writeChangeSetResponse,
  writeQueryResponse,
} from '../transaction/write-batch.ts'
import { chooseChange } from './change-entity.ts'
import { getEntity } from './get-entity.ts'
import { requestedTable } from './requested-table.ts'

/** Entity Group Transaction: `POST /$batch`. */
export async function entityGroupTransaction(
  service: Service,
  call: ServiceRequest,
): Promise<ServiceResponse> {
  const newId = () => service.newId()
  const batch = readBatch(call)
  if (batch.kind === 'query') {
    return writeQueryResponse(await respondToQuery(service, call, batch.part), newId)
  }
  checkWritable(call)
  return writeChangeSetResponse(await respondToChanges(service, call, batch.parts), newId)
}

async function respondToChanges(
  service: Service,
  batch: ServiceRequest,
  parts: readonly RequestText[],
): Promise<readonly PartResponse[]> {
  let calls: readonly ServiceRequest[] = []
  try {
    checkChangeCount(parts.length)
    calls = parts.map((part, index) => readPartCall(batch, part, index))
    const [first] = calls
    if (first === undefined) return []
    const table = await requestedTable(service, first).catch(prefixFirst)
    const answers = await applyChanges(service, table, decodeChanges(calls, chooseChange))
    return answers.map((answer, index) => ({ answer, call: calls[index] }))
  } catch (error) {
    return [refusal(service, batch, error, failedCall(error, calls))]
  }
}

/** One entity read by its key, alone in a batch. */
async function respondToQuery(
  service: Service,
  batch: ServiceRequest,
  part: RequestText,
): Promise<PartResponse> {
  let call: ServiceRequest | undefined
  try {
    call = readPartCall(batch, part, 0)
    return { answer: await readEntity(service, call).catch(prefixFirst), call }
  } catch (error) {
    return refusal(service, batch, error, call)
  }
}

async function readEntity(service: Service, call: ServiceRequest): Promise<ServiceResponse> {
  if (call.resource.kind !== 'entity') throw new Rejection('NotImplemented')
  return getEntity(service, call)
}

function readPartCall(batch: ServiceRequest, part: RequestText, index: number): ServiceRequest {
  try {
    const call = readRequest(batch, part)
    checkPermission(call)
    return call
  } catch (error) {
    throw error instanceof Rejection ? error.prefixed(index) : error
  }
}

function prefixFirst(error: unknown): never {
  throw error instanceof Rejection ? error.prefixed(0) : error
}

/** The change that a refusal is about, where it says so. */
function failedCall(error: unknown, calls: readonly ServiceRequest[]): ServiceRequest | undefined {
  const index = error instanceof Rejection ? error.index : undefined
  return index === undefined ? undefined : calls[index]
}

/** The one part of a transaction that failed. */
function refusal(
  service: Service,
  batch: ServiceRequest,
  error: unknown,
  call: ServiceRequest | undefined,
): PartResponse {
  if (!(error instanceof Rejection)) throw error
  const preference = call === undefined ? undefined : preferenceOf(call)
  const headers = preference === undefined ? {} : { 'preference-applied': preference }
  const { requestId } = batch
  const context = { requestId, now: service.clock.now(), accept: call?.headers.accept }
  return { answer: jsonRejection(error.but({ headers }), context), call }
}
