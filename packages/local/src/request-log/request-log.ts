import type { HttpHeaders, HttpMethod, HttpRequest } from '@rowkey/rest'
import { type AccountKeys, locateAccount } from '../account/account.ts'
import { type OperationName, operationName } from '../request/operation-name.ts'
import { effectiveMethod } from '../request/read-request.ts'
import { type Resource, routeResource } from '../request/service-request.ts'
import type { ServiceResponse } from '../response/service-response.ts'

/** The part of a request that the log keeps. It is small, and described only when it is read. */
interface Kept {
  readonly number: number
  readonly time: number
  readonly head: RequestHead
  bodyTable: string | undefined
  readonly clientRequestId: string | undefined
  readonly fault: FaultKind | undefined
  end: ResponseFacts | undefined
}

/** The part of a response that the log keeps. Keeping the response itself would keep its body. */
interface ResponseFacts {
  readonly status: number
  readonly errorCode: string | undefined
  readonly requestId: string | undefined
  readonly duration: number
}

/** The record of a request that is pending. */
interface PendingRecord {
  /** Records the table that the body names, when the body arrives. */
  learn(body: string): void
  /** Records the response; not called for a request without one. */
  end(response: ServiceResponse): void
}

/**
 * A signature. A client may have encoded more of its address than needed, or copied its token from
 * a page that writes `&` as `&amp;`.
 */
const SIGNATURE =
  /((?:^|[^a-z0-9]|%(?:25)*[0-9a-f]{2})(?:s|%[57]3)(?:i|%[46]9)(?:g|%[46]7)(?:=|%(?:25)*3d)).*?(?=&|%(?:25)*26|$)/gis

/** The requests that an embedded service received. */
export interface Requests {
  /** How many requests arrived since the service was made, reset, or the log cleared. */
  readonly count: number
  /** Returns the newest requests, the oldest of them first: at most `requestLogSize`. */
  entries(): readonly RequestRecord[]
  /** Clears the log. */
  clear(): void
}

/** The parts of a service that its log needs. */
interface RequestLogParts {
  /** The accounts of the service. */
  readonly accounts: AccountKeys
  /** Milliseconds since 1970, UTC. */
  readonly now: () => number
  /** How many requests to keep. */
  readonly size: number
  /** Receives each request when its response is known. */
  readonly onRequest: ((record: RequestRecord) => void) | undefined
  /** Receives what `onRequest` throws, or rejects with. */
  report(error: unknown): void
}

/** The newest requests that a service received, up to a number. */
export class RequestLog implements Requests {
  readonly #accounts: AccountKeys
  readonly #now: () => number
  readonly #size: number
  readonly #tell: ((record: RequestRecord) => void) | undefined
  #kept: Kept[] = []
  #oldest = 0
  #count = 0

  constructor({ accounts, now, size, onRequest, report }: RequestLogParts) {
    this.#accounts = accounts
    this.#now = now
    this.#size = size
    this.#tell =
      onRequest &&
      (async (record) => {
        try {
          await onRequest(record)
        } catch (error) {
          report(error)
        }
      })
  }

  get count(): number {
    return this.#count
  }

  /** Records a request on arrival, and the kind of fault that is injected. */
  begin(request: HttpRequest, fault: FaultKind | undefined): PendingRecord {
    const kept = this.#keep(request, fault)
    const { method, path } = request
    return {
      learn: (body) => {
        kept.bodyTable = tableInBody({ method, path, body })
      },
      end: ({ status, headers }) => {
        kept.end = {
          status,
          errorCode: headers['x-ms-error-code'],
          requestId: headers['x-ms-request-id'],
          duration: this.#now() - kept.time,
        }
        this.#tell?.(this.#recordOf(kept))
      },
    }
  }

  entries(): readonly RequestRecord[] {
    const inOrder = [...this.#kept.slice(this.#oldest), ...this.#kept.slice(0, this.#oldest)]
    return inOrder.map((kept) => this.#recordOf(kept))
  }

  clear(): void {
    this.#kept = []
    this.#oldest = 0
    this.#count = 0
  }

  #keep(request: HttpRequest, fault: FaultKind | undefined): Kept {
    const { method, origin, path, query, headers } = request
    const kept: Kept = {
      number: ++this.#count,
      time: this.#now(),
      head: { method, origin, path, query, headers: decisive(headers) },
      bodyTable: tableInBody(request),
      clientRequestId: headers['x-ms-client-request-id'],
      fault,
      end: undefined,
    }
    if (this.#kept.length < this.#size) this.#kept.push(kept)
    else if (this.#size > 0) {
      this.#kept[this.#oldest] = kept
      this.#oldest = (this.#oldest + 1) % this.#size
    }
    return kept
  }

  #recordOf({ head: sent, bodyTable, end, ...kept }: Kept): RequestRecord {
    const head = { ...sent, path: withoutSignature(sent.path) }
    return Object.freeze({
      number: kept.number,
      time: kept.time,
      ...requestFacts(this.#accounts, head, bodyTable),
      path: head.path,
      query: withoutSignature(head.query),
      status: end?.status,
      errorCode: end?.errorCode,
      requestId: end?.requestId,
      duration: end?.duration,
      clientRequestId: kept.clientRequestId,
      fault: kept.fault,
    })
  }
}

function withoutSignature(text: string): string {
  return text.replace(SIGNATURE, '$1REDACTED')
}

const NO_HEADERS: HttpHeaders = {}

/** Picks the headers that tell operations apart, and no header with a credential. */
function decisive(headers: HttpHeaders): HttpHeaders {
  const ifMatch = headers['if-match']
  const method = headers['x-http-method']
  if (ifMatch === undefined && method === undefined) return NO_HEADERS
  return {
    ...(ifMatch !== undefined && { 'if-match': ifMatch }),
    ...(method !== undefined && { 'x-http-method': method }),
  }
}

/** The kinds of faults that can be injected into a request. */
export type FaultKind =
  | 'cut page'
  | 'duplicate delivery'
  | 'late response'
  | 'lost response'
  | 'lost request'
  | 'rejection'
  | 'slow body'
  | 'truncated body'
  | 'wrong clock'

/** A request that the service received, and the response. */
export interface RequestRecord extends RequestFacts {
  /** Its number in the order of arrival, from 1, since the service was made or reset. */
  readonly number: number
  /** The time of arrival: milliseconds since 1970, UTC, by the service's clock. */
  readonly time: number
  /** The percent-encoded path as it was sent. */
  readonly path: string
  /** The percent-encoded query without its `?`. A signature is replaced by `REDACTED`. */
  readonly query: string
  /** The status; `undefined` while the request is pending, and when no response was sent. */
  readonly status: number | undefined
  /** The code of a rejection, such as `EntityAlreadyExists`. */
  readonly errorCode: string | undefined
  /** The service's id of the request, as the response has it. */
  readonly requestId: string | undefined
  /** Milliseconds from its arrival to its response, by the service's clock; `undefined` while it is pending. */
  readonly duration: number | undefined
  /** The client's id of the request. */
  readonly clientRequestId: string | undefined
  /** The kind of fault that was injected. */
  readonly fault: FaultKind | undefined
}

/** The parts of a request that tell its operation, except for the body. */
type RequestHead = Pick<HttpRequest, 'headers' | 'method' | 'origin' | 'path' | 'query'>

const COMPONENT = /(?:^|&)comp=([a-z]+)/

function operationAt(
  { method, headers, query }: RequestHead,
  { kind }: Resource,
): OperationName | undefined {
  if (method === 'OPTIONS') return 'preflightTableRequest'
  const component = COMPONENT.exec(query)?.[1]
  return operationName({ method: effectiveMethod(method, headers), headers }, kind, component)
}

/** The target of a request, as far as it is known before the service responds. */
export interface RequestFacts {
  /** The verb as it was sent: `POST` for a tunnelled one. */
  readonly method: HttpMethod
  /** The operation; `undefined` for an unknown one. */
  readonly operation: OperationName | undefined
  /** The account; `undefined` when the service does not have it. */
  readonly account: string | undefined
  /** The location of the account. */
  readonly location: 'primary' | 'secondary'
  /** The table as the request spells it; of a batch, the table of its first operation. */
  readonly table: string | undefined
}

/**
 * Describes a request without checking it.
 *
 * @param bodyTable - the table that the body names: see {@link tableInBody}
 */
export function requestFacts(
  accounts: AccountKeys,
  head: RequestHead,
  bodyTable: string | undefined,
): RequestFacts {
  const { method } = head
  try {
    const { account, isSecondary, resourcePath } = locateAccount(accounts, head)
    const resource = routeResource(resourcePath)
    return {
      method,
      operation: operationAt(head, resource),
      account,
      location: isSecondary ? 'secondary' : 'primary',
      table: 'table' in resource ? resource.table : bodyTable,
    }
  } catch {
    // The service will reject a request that cannot be read; its facts are unknown.
    const nothing = { operation: undefined, account: undefined, table: undefined }
    return { method, location: 'primary', ...nothing }
  }
}

/** The name is near the beginning of a body of any size. */
const LOOKED_AT = 4096

const BATCH = /\/(?:\$|%24)batch\/?$/
const NEW_TABLES = /\/Tables(?:\(\))?\/?$/i
const NEW_TABLE = /"TableName"\s*:\s*("(?:[^"\\]|\\.)+")/
const FIRST_OPERATION = /^[A-Z]+ +[^\s?(]*\/([^\s?(/]+)\/?(?=[\s?(])/m

/**
 * Finds the table that a body names: of a batch the table of its first operation, and of a new
 * table its name.
 */
export function tableInBody({
  method,
  path,
  body,
}: Pick<HttpRequest, 'method' | 'path' | 'body'>): string | undefined {
  if (method !== 'POST' || body === undefined) return undefined
  const start = body.slice(0, LOOKED_AT)
  const text = BATCH.test(path)
    ? FIRST_OPERATION.exec(start)?.[1]
    : NEW_TABLES.test(path)
      ? NEW_TABLE.exec(start)?.[1]
      : undefined
  try {
    return text && ownText(text.startsWith('"') ? JSON.parse(text) : decodeURIComponent(text))
  } catch {
    // The service will reject a name that cannot be read.
    return undefined
  }
}

/** Copies a text. As a part of the body it would keep the whole body in memory. */
function ownText(part: string): string {
  return part.split('').join('')
}
