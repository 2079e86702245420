import type { HttpHeaders, HttpRequest, HttpResponse } from '@rowkey/rest'
import type { AccountKeys } from '../account/account.ts'
import type { RequestHead } from './request-facts.ts'
import { type RequestFacts, requestFacts, tableInBody } from './request-facts.ts'

/** The part of a request that the log keeps. It is small, and described only when it is read. */
interface Kept {
  readonly number: number
  readonly time: number
  readonly head: RequestHead
  readonly bodyTable: string | undefined
  readonly clientRequestId: string | undefined
  readonly fault: FaultKind | undefined
  end: ResponseFacts | undefined
}

/** The part of a response that the log keeps. Keeping the response itself would keep its body. */
interface ResponseFacts {
  readonly status: number
  readonly errorCode: string | undefined
  readonly requestId: string | undefined
}

/** Records the response to a request; not called for a request without one. */
type RequestEnd = (response: HttpResponse) => void

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

/** The newest requests that a service received, up to a number. */
export class RequestLog implements Requests {
  readonly #accounts: AccountKeys
  readonly #now: () => number
  readonly #size: number
  #kept: Kept[] = []
  #oldest = 0
  #count = 0

  /**
   * @param accounts - the accounts of the service
   * @param now - milliseconds since 1970, UTC
   * @param size - how many requests to keep
   */
  constructor(accounts: AccountKeys, now: () => number, size: number) {
    this.#accounts = accounts
    this.#now = now
    this.#size = size
  }

  get count(): number {
    return this.#count
  }

  /** Records a request on arrival, and the kind of fault that is injected. */
  begin(request: HttpRequest, fault: FaultKind | undefined): RequestEnd {
    const kept = this.#keep(request, fault)
    return ({ status, headers }) => {
      kept.end = {
        status,
        errorCode: headers['x-ms-error-code'],
        requestId: headers['x-ms-request-id'],
      }
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
  /** The client's id of the request. */
  readonly clientRequestId: string | undefined
  /** The kind of fault that was injected. */
  readonly fault: FaultKind | undefined
}
