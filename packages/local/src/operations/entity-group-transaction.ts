import { checkPermission } from '../access/permissions.ts'
import { Rejection } from '../rejection/rejection.ts'
import { preferenceOf } from '../request/content-negotiation.ts'
import { checkWritable, type RequestText, readRequest } from '../request/read-request.ts'
import type { ServiceRequest } from '../request/service-request.ts'
import { cosmosRejection, jsonRejection } from '../response/rejection-response.ts'
import type { ServiceResponse } from '../response/service-response.ts'
import type { Service } from '../service/service.ts'
import { applyChanges, checkChangeCount, decodeChanges } from '../transaction/apply-change-set.ts'
import { readBatch } from '../transaction/read-batch.ts'
import {
  type PartResponse,
  writeChangeSetResponse,
  writeCosmosBatch,
  writeQueryResponse,
} from '../transaction/write-batch.ts'
import { chooseChange } from './change-entity.ts'
import { getEntity } from './get-entity.ts'
import { requestedTable } from './requested-table.ts'

/** Entity Group Transaction: `POST /$batch`. */
export async function entityGroupTransaction(
  service: Service,
  request: ServiceRequest,
): Promise<ServiceResponse> {
  const newId = () => service.newId()
  const batch = readBatch(request)
  if (batch.kind === 'query') {
    return writeQueryResponse(await respondToQuery(service, request, batch.part), newId)
  }
  checkWritable(request)
  const parts = await respondToChanges(service, request, batch.parts)
  const write = request.flavour === 'cosmos' ? writeCosmosBatch : writeChangeSetResponse
  return write(parts, newId)
}

async function respondToChanges(
  service: Service,
  batch: ServiceRequest,
  parts: readonly RequestText[],
): Promise<readonly PartResponse[]> {
  let requests: readonly ServiceRequest[] = []
  try {
    checkChangeCount(parts.length)
    requests = parts.map((part, index) => readPartRequest(batch, part, index))
    const [first] = requests
    if (first === undefined) return []
    const missing = batch.flavour === 'cosmos' ? rethrow : prefixFirst
    const table = await requestedTable(service, first).catch(missing)
    const responses = await applyChanges(service, table, decodeChanges(requests, chooseChange))
    return responses.map((response, index) => ({ response, request: requests[index] }))
  } catch (error) {
    if (batch.flavour === 'cosmos' && failsWhole(error)) throw error
    return [failedPart(service, batch, error, failedRequest(error, requests))]
  }
}

/** Cosmos DB rejects the whole batch when a part is not a valid request, such as a PATCH. */
function failsWhole(error: unknown): boolean {
  return error instanceof Rejection && error.code === 'InvalidInput'
}

function rethrow(error: unknown): never {
  throw error
}

/** Reads one entity by its key, alone in a batch. */
async function respondToQuery(
  service: Service,
  batch: ServiceRequest,
  part: RequestText,
): Promise<PartResponse> {
  let request: ServiceRequest | undefined
  try {
    request = readPartRequest(batch, part, 0)
    return { response: await readEntity(service, request).catch(prefixFirst), request }
  } catch (error) {
    return failedPart(service, batch, error, request)
  }
}

async function readEntity(service: Service, request: ServiceRequest): Promise<ServiceResponse> {
  if (request.resource.kind !== 'entity') throw new Rejection('NotImplemented')
  return getEntity(service, request)
}

function readPartRequest(batch: ServiceRequest, part: RequestText, index: number): ServiceRequest {
  try {
    const request = readRequest(batch, part)
    checkPermission(request)
    return request
  } catch (error) {
    throw error instanceof Rejection ? error.prefixed(index) : error
  }
}

function prefixFirst(error: unknown): never {
  throw error instanceof Rejection ? error.prefixed(0) : error
}

/** Returns the request that a rejection is about, when the rejection has an index. */
function failedRequest(
  error: unknown,
  requests: readonly ServiceRequest[],
): ServiceRequest | undefined {
  const index = error instanceof Rejection ? error.index : undefined
  return index === undefined ? undefined : requests[index]
}

/** Makes the one part of a transaction that failed. */
function failedPart(
  service: Service,
  batch: ServiceRequest,
  error: unknown,
  request: ServiceRequest | undefined,
): PartResponse {
  if (!(error instanceof Rejection)) throw error
  const { requestId, flavour } = batch
  const context = { requestId, now: service.clock.now(), accept: request?.headers.accept }
  if (flavour === 'cosmos') return { response: cosmosRejection(error, context), request }
  const preference = request === undefined ? undefined : preferenceOf(request)
  const headers = preference === undefined ? {} : { 'preference-applied': preference }
  return { response: jsonRejection(error.but({ headers }), context), request }
}
