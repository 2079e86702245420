import { checkPermission } from '../access/permissions.ts'
import { Rejection } from '../rejection/rejection.ts'
import { withPreference } from '../request/content-negotiation.ts'
import { checkWritable, type RequestText, readRequest, withBody } from '../request/read-request.ts'
import type { ServiceRequest } from '../request/service-request.ts'
import { cosmosRejection, jsonRejection } from '../response/rejection-response.ts'
import { type ServiceResponse, textOf } from '../response/service-response.ts'
import type { Service } from '../service/service.ts'
import { applyChanges, checkChangeCount, decodeChanges } from '../transaction/apply-change-set.ts'
import { readBatch } from '../transaction/read-batch.ts'
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
    const request = withBody(readRequest(batch, part), part.body)
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
  const rejection = request === undefined ? error : withPreference(error, request)
  return { response: jsonRejection(rejection, context), request }
}

/** A response inside a batch, and its request. */
interface PartResponse {
  /** The response of the part. */
  readonly response: ServiceResponse
  /** Its `Content-ID` is repeated. Absent when the part could not be read. */
  readonly request: ServiceRequest | undefined
}

/**
 * Writes the response to a change set: one part for each change, or one part for the change that
 * failed.
 */
export function writeChangeSetResponse(
  parts: readonly PartResponse[],
  newId: () => string,
): ServiceResponse {
  const boundary = `changesetresponse_${newId()}`
  let lines = ''
  for (const part of parts) lines += `--${boundary}\r\n${writePart(part)}`
  const type = `Content-Type: multipart/mixed; boundary=${boundary}`
  return writeBatch(`${type}\r\n\r\n${lines}--${boundary}--\r\n`, newId)
}

/** Writes the response to a query that was alone in a batch. */
export function writeQueryResponse(part: PartResponse, newId: () => string): ServiceResponse {
  return writeBatch(writePart(part), newId)
}

function writeBatch(content: string, newId: () => string): ServiceResponse {
  const boundary = `batchresponse_${newId()}`
  return {
    status: 202,
    headers: { 'content-type': `multipart/mixed; boundary=${boundary}` },
    body: `--${boundary}\r\n${content}--${boundary}--\r\n`,
  }
}

function writePart({ response, request }: PartResponse): string {
  const { status, body } = response
  const statusLine = `HTTP/1.1 ${status} ${REASONS[status]}\r\n`
  return `${PART_HEAD}\r\n${statusLine}${partHeaders(response, request)}\r\n${textOf(body)}\r\n`
}

/** The reason phrase of each status that a part can have. */
export const REASONS: Readonly<Record<number, string>> = {
  200: 'OK',
  201: 'Created',
  204: 'No Content',
  400: 'Bad Request',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  409: 'Conflict',
  411: 'Length Required',
  412: 'Precondition Failed',
  413: 'Payload Too Large',
  415: 'Unsupported Media Type',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  503: 'Service Unavailable',
}

const PART_HEAD = 'Content-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n'

/** The headers of a part in the service's spelling and order. */
const SPELLINGS: readonly (readonly [name: string, spelling: string])[] = [
  ['preference-applied', 'Preference-Applied'],
  ['dataserviceversion', 'DataServiceVersion'],
  ['location', 'Location'],
  ['dataserviceid', 'DataServiceId'],
  ['etag', 'ETag'],
  ['content-type', 'Content-Type'],
]

/** Writes the header lines of a part. */
function partHeaders(response: ServiceResponse, request: ServiceRequest | undefined): string {
  const contentId = request?.headers['content-id']
  let lines = contentId === undefined ? '' : `Content-ID: ${contentId}\r\n`
  lines += 'X-Content-Type-Options: nosniff\r\nCache-Control: no-cache\r\n'
  const version = response.status === 204 && !response.headers.location ? '1.0;' : '3.0;'
  for (const [name, spelling] of SPELLINGS) {
    const value = name === 'dataserviceversion' ? version : response.headers[name]
    if (value !== undefined) lines += `${spelling}: ${value}\r\n`
  }
  return lines
}

/**
 * Writes the response to a batch as Cosmos DB does. The headers of a part end in LF and its own lines in
 * CRLF, and each part has the number of its change, counted from 1.
 */
function writeCosmosBatch(parts: readonly PartResponse[], newId: () => string): ServiceResponse {
  const inner = `changesetresponse_${newId()}`
  const outer = `batchresponse_${newId()}`
  const text = parts.map(
    ({ response }, index) => `--${inner}\n${COSMOS_PART_HEAD}${printCosmosPart(response, index)}`,
  )
  return {
    status: 202,
    headers: { 'content-type': `multipart/mixed; boundary=${outer}` },
    body: `--${outer}\r\nContent-Type: multipart/mixed; boundary=${inner}\r\n\r\n${text.join('')}--${inner}--\n--${outer}--\r\n`,
  }
}

const COSMOS_PART_HEAD = 'Content-Type: application/http\nContent-Transfer-Encoding: binary\n\n'

/** The headers of a part in the spelling and order of Cosmos DB. */
const COSMOS_SPELLINGS: readonly (readonly [name: string, spelling: string])[] = [
  ['content-type', 'Content-Type'],
  ['etag', 'ETag'],
  ['preference-applied', 'Preference-Applied'],
  ['location', 'Location'],
]

function printCosmosPart({ status, headers, body }: ServiceResponse, index: number): string {
  const lines = COSMOS_SPELLINGS.flatMap(([name, spelling]) => {
    const value = headers[name]?.replace(';streaming=true;charset=utf-8', '')
    return value === undefined ? [] : [`${spelling}: ${value}`]
  })
  const id = status < 300 ? [`Content-ID: ${index + 1}`] : []
  const head = [`HTTP/1.1 ${status} ${REASONS[status]}`, ...lines, ...id].join('\r\n')
  return `${head}\r\n\r\n${textOf(body).trimEnd()}\r\n`
}
