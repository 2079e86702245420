import type { HttpRequest } from '@rowkey/rest'
import type {
  InjectedFault,
  LateResponseFault,
  RejectionFault,
  SlowBodyFault,
  TruncatedBodyFault,
} from '../faults/injected-fault.ts'
import { Rejection } from '../rejection/rejection.ts'
import { ClientGone } from '../request/client.ts'
import { lengthOf, type ServiceResponse, textOf } from '../response/service-response.ts'
import type { Service } from '../service/service.ts'
import type { Delivery, DeliverySource } from './delivery.ts'
import { reject, respond } from './respond.ts'

/**
 * Delivers the response to a request, or the result of an injected fault.
 *
 * @param source - where the request came from
 */
export async function deliverRequest(
  service: Service,
  request: HttpRequest,
  source: DeliverySource = {},
): Promise<Delivery> {
  try {
    // A rule may choose by the table that the body names.
    return service.faults.areActive && source.body !== undefined
      ? await deliver(service, { ...request, body: await source.body() }, withoutBody(source))
      : await deliver(service, request, source)
  } catch (error) {
    if (error instanceof ClientGone) return { kind: 'lost', connection: 'closed' }
    if (error instanceof Rejection) return deliverRejection(service, request, error)
    throw error
  }
}

function withoutBody({ body: _, ...source }: DeliverySource): DeliverySource {
  return source
}

async function deliver(
  service: Service,
  request: HttpRequest,
  source: DeliverySource,
): Promise<Delivery> {
  const { hasRoom = () => true } = source
  const fault = nextFault(service, request)
  const record = service.requests.begin(request, fault?.kind)
  const { body: readBody } = source
  const body =
    readBody &&
    (async () => {
      const text = await readBody()
      record.learn(text)
      return text
    })
  const recorded = { ...source, body }
  const delivery =
    fault === undefined
      ? whole(await respond(service, request, recorded))
      : await injectFault(fault, { service, request, source: recorded })
  if (delivery.kind === 'lost') return delivery
  const sent = hasRoom(lengthOf(delivery.response.body)) ? delivery : busy(service, request)
  record.end(sent.response)
  return sent
}

/** Delivers a rejection to a request that the listener did not read. */
export function deliverRejection(
  service: Service,
  request: HttpRequest,
  rejection: Rejection,
): Delivery {
  const record = service.requests.begin(request, undefined)
  const response = reject(service, request, rejection)
  record.end(response)
  return { kind: 'whole', response }
}

/** Takes the place of a page for which the listener has no memory: its clients read too slowly. */
function busy(service: Service, request: HttpRequest): Delivery & { readonly kind: 'whole' } {
  const response = reject(service, request, new Rejection('ServerBusy'))
  return { kind: 'whole', response }
}

/**
 * Chooses the fault for a request. The error that a function of a rule throws is reported.
 *
 * @throws Rejection InternalError
 */
function nextFault(service: Service, request: HttpRequest): InjectedFault | undefined {
  try {
    return service.faults.next(request)
  } catch (cause) {
    service.report(cause)
    throw new Rejection('InternalError')
  }
}

/** A request into which a fault is injected, and who responds to it. */
interface FaultyExchange {
  readonly service: Service
  readonly request: HttpRequest
  readonly source: DeliverySource
}

/** Injects a fault into a request. */
async function injectFault(
  fault: InjectedFault,
  { service, request, source }: FaultyExchange,
): Promise<Delivery> {
  const respondAs = (changed: Service) => respond(changed, request, source)
  switch (fault.kind) {
    case 'lost request':
      return { kind: 'lost', connection: fault.connection ?? 'closed' }
    case 'lost response':
      await respondAs(service)
      return { kind: 'lost', connection: fault.connection ?? 'closed' }
    case 'rejection':
      if (fault.applied === true) await respondAs(service)
      return whole(reject(service, request, rejectionOf(fault)))
    case 'cut page':
      return whole(await respondAs({ ...service, rowsToRead: fault.rows }))
    case 'wrong clock': {
      const { clock } = service
      const now = () => clock.now() + fault.offset
      return whole(await respondAs({ ...service, clock: { now, stamp: () => clock.stamp() } }))
    }
    case 'duplicate delivery': {
      const first = await respondAs(service)
      const second = await respondAs(service)
      return whole(fault.response === 'second' ? second : first)
    }
    default:
      return slowed(await respondAs(service), fault)
  }
}

type SlowFault = LateResponseFault | SlowBodyFault | TruncatedBodyFault

function slowed(response: ServiceResponse, fault: SlowFault): Delivery {
  if (fault.kind === 'late response') return { kind: 'late', response, delay: fault.delay }
  const length = new TextEncoder().encode(textOf(response.body)).length
  if (length === 0) return bodyless(response, fault)
  const after = Math.min(fault.after ?? Math.floor(length / 2), length - 1)
  return fault.kind === 'slow body'
    ? { kind: 'paused', response, after, delay: fault.delay }
    : { kind: 'truncated', response, after }
}

/** A response without a body is late or lost as a whole. */
function bodyless(response: ServiceResponse, fault: SlowFault): Delivery {
  return fault.kind === 'truncated body'
    ? { kind: 'lost', connection: 'closed' }
    : { kind: 'late', response, delay: fault.delay }
}

function rejectionOf({ code, retryAfter }: RejectionFault): Rejection {
  if (retryAfter === undefined) return new Rejection(code)
  return new Rejection(code, {
    headers: {
      'retry-after': String(Math.ceil(retryAfter / 1000)),
      'x-ms-retry-after-ms': String(retryAfter),
    },
  })
}

function whole(response: ServiceResponse): Delivery & { readonly kind: 'whole' } {
  return { kind: 'whole', response }
}
