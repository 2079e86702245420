import type { HttpRequest, HttpResponse } from '@rowkey/rest'
import type {
  InjectedFault,
  LateResponseFault,
  RefusalFault,
  SlowBodyFault,
  TruncatedBodyFault,
} from '../faults/injected-fault.ts'
import { Rejection } from '../rejection/rejection.ts'
import type { Service } from '../service/service.ts'
import type { Delivery, DeliverySource } from './delivery.ts'
import { reject, respond } from './respond.ts'

/**
 * Gives what a client gets for a request: its response, unless a rule injects a fault.
 *
 * @param source - where the request came from
 */
export async function deliverRequest(
  service: Service,
  request: HttpRequest,
  { address, hasRoom = () => true }: DeliverySource = {},
): Promise<Delivery> {
  const fault = nextFault(service, request)
  if (fault instanceof Rejection) return deliverRejection(service, request, fault)
  const end = service.requests.begin(request, fault?.kind)
  const delivery =
    fault === undefined
      ? ({ kind: 'whole', response: await respond(service, request, address) } as const)
      : await injectFault(service, befallen(service, request, address), fault)
  if (delivery.kind === 'lost') return delivery
  const sent = hasRoom(delivery.response.body.length) ? delivery : busy(service, request)
  end(sent.response)
  return sent
}

/** The response when its clients read too slowly for the listener to hold another page. */
function busy(service: Service, request: HttpRequest): Delivery & { readonly kind: 'whole' } {
  const response = reject(service, request, new Rejection('ServerBusy'))
  return { kind: 'whole', response }
}

/** What is to befall a request; a refusal when a function of a rule failed, which is reported. */
function nextFault(service: Service, request: HttpRequest): InjectedFault | Rejection | undefined {
  try {
    return service.faults.next(request)
  } catch (cause) {
    service.report(cause)
    return new Rejection('InternalError', { cause })
  }
}

/** The answer to a request that the listener refuses before anybody could take it apart. */
export function deliverRejection(
  service: Service,
  request: HttpRequest,
  fault: Rejection,
): Delivery {
  const end = service.requests.begin(request, undefined)
  const response = reject(service, request, fault)
  end(response)
  return { kind: 'whole', response }
}

function befallen(service: Service, request: HttpRequest, address: string | undefined): Befallen {
  return {
    respond: (placed) => respond(placed, request, address),
    refuse: (fault) => reject(service, request, fault),
  }
}

/** One request, as a fault befalls it. */
export interface Befallen {
  /** Does what is asked, by a service that may be in a bad state, and answers. */
  respond(service: Service): Promise<HttpResponse>
  /** Answers with a refusal. */
  refuse(fault: Rejection): HttpResponse
}

/** What a client gets when a fault befalls its request. */
export async function injectFault(
  service: Service,
  request: Befallen,
  fault: InjectedFault,
): Promise<Delivery> {
  switch (fault.kind) {
    case 'lost request':
      return { kind: 'lost', connection: fault.connection ?? 'closed' }
    case 'lost response':
      await request.respond(service)
      return { kind: 'lost', connection: fault.connection ?? 'closed' }
    case 'refusal':
      if (fault.applied === true) await request.respond(service)
      return { kind: 'whole', response: request.refuse(rejectionOf(fault)) }
    case 'cut page':
      return whole(await request.respond({ ...service, rowsToRead: fault.rows }))
    case 'wrong clock':
      return whole(
        await request.respond({ ...service, clock: service.clock.shifted(fault.offset) }),
      )
    case 'duplicate delivery':
      return whole(await respondTwice(service, request, fault.response ?? 'first'))
    default:
      return slowed(await request.respond(service), fault)
  }
}

type SlowFault = LateResponseFault | SlowBodyFault | TruncatedBodyFault

function slowed(response: HttpResponse, fault: SlowFault): Delivery {
  if (fault.kind === 'late response') return { kind: 'late', response, delay: fault.delay }
  const length = new TextEncoder().encode(response.body).length
  if (length === 0) return withoutBody(response, fault)
  const after = Math.min(fault.after ?? Math.floor(length / 2), length - 1)
  return fault.kind === 'slow body'
    ? { kind: 'paused', response, after, delay: fault.delay }
    : { kind: 'truncated', response, after }
}

/** Where there is no body to pause in or to cut, the answer as a whole is late or lost. */
function withoutBody(response: HttpResponse, fault: SlowFault): Delivery {
  return fault.kind === 'truncated body'
    ? { kind: 'lost', connection: 'closed' }
    : { kind: 'late', response, delay: fault.delay }
}

async function respondTwice(
  service: Service,
  request: Befallen,
  shown: 'first' | 'second',
): Promise<HttpResponse> {
  const first = await request.respond(service)
  const second = await request.respond(service)
  return shown === 'first' ? first : second
}

function rejectionOf({ code, retryAfter }: RefusalFault): Rejection {
  if (retryAfter === undefined) return new Rejection(code)
  return new Rejection(code, {
    headers: {
      'retry-after': String(Math.ceil(retryAfter / 1000)),
      'x-ms-retry-after-ms': String(retryAfter),
    },
  })
}

function whole(response: HttpResponse): Delivery {
  return { kind: 'whole', response }
}
