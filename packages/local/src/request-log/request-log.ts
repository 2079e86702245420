import type { HttpHeaders, HttpRequest, HttpResponse } from '@rowkey/rest'
import type { AccountKeys } from '../account/account.ts'
import type { RequestHead } from './operation-name.ts'
import { type RequestFacts, requestFacts, tableInBody } from './request-facts.ts'

/** What is kept of a request until somebody asks: small, so that keeping it costs little. */
interface Kept {
  readonly number: number
  readonly time: number
  readonly head: RequestHead
  readonly bodyTable: string | undefined
  readonly clientRequestId: string | undefined
  readonly fault: FaultKind | undefined
  end: AnswerFacts | undefined
}

/** What is kept of an answer: the texts that a log shows, and not what they came with. */
interface AnswerFacts {
  readonly status: number
  readonly errorCode: string | undefined
  readonly requestId: string | undefined
}

/** Tells the log how a request was answered; not called when it was not. */
export type RequestEnd = (response: HttpResponse) => void

/**
 * A signature, also where a client encoded more of its address than it should have, or took its token
 * from a page in which `&` stands as `&amp;`.
 */
const SIGNATURE =
  /((?:^|[^a-z0-9]|%(?:25)*[0-9a-f]{2})(?:s|%[57]3)(?:i|%[46]9)(?:g|%[46]7)(?:=|%(?:25)*3d)).*?(?=&|%(?:25)*26|$)/gis

/** The requests that an embedded service was sent. */
export interface Requests {
  /** How many there were since the service was made, reset, or the log cleared. */
  readonly count: number
  /** The newest of them, the oldest first: as many as `requestLogSize` says. */
  entries(): readonly RequestRecord[]
  /** Forgets them. */
  clear(): void
}

/** The requests that a service was sent, the newest up to a number of them. */
export class RequestLog implements Requests {
  readonly #accounts: AccountKeys
  readonly #now: () => number
  readonly #size: number
  #kept: Kept[] = []
  #oldest = 0
  #count = 0

  /**
   * @param accounts - the service's
   * @param now - milliseconds since 1970, UTC
   * @param size - how many requests are kept
   */
  constructor(accounts: AccountKeys, now: () => number, size: number) {
    this.#accounts = accounts
    this.#now = now
    this.#size = size
  }

  get count(): number {
    return this.#count
  }

  /** Notes a request that came, and what was injected into it. */
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

/** The headers that tell one operation from another, and none that holds a proof. */
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
  | 'refusal'
  | 'slow body'
  | 'truncated body'
  | 'wrong clock'

/** One request that the service was sent, and how it was answered. */
export interface RequestRecord extends RequestFacts {
  /** Which one it was since the service was made or reset, from 1, in the order of arrival. */
  readonly number: number
  /** When it came: milliseconds since 1970, UTC, by the service's clock. */
  readonly time: number
  /** The percent-encoded path as it was sent. */
  readonly path: string
  /** The percent-encoded query without its `?`; a signature in it is shown as `REDACTED`. */
  readonly query: string
  /** The status; `undefined` while there is none, and when no answer was sent. */
  readonly status: number | undefined
  /** The code of a refusal, such as `EntityAlreadyExists`. */
  readonly errorCode: string | undefined
  /** The service's id of the request, as its answer says it. */
  readonly requestId: string | undefined
  /** The client's id of the request. */
  readonly clientRequestId: string | undefined
  /** The kind of the fault that was injected. */
  readonly fault: FaultKind | undefined
}
