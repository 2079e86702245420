import type { HttpResponse } from '@rowkey/rest'
import { ServiceFault } from '../fault/service-fault.ts'
import type { Service } from '../service/service.ts'
import type { Delivery } from './delivery.ts'
import type {
  InjectedFault,
  LateAnswerFault,
  RefusalFault,
  SlowBodyFault,
  TruncatedBodyFault,
} from './injected-fault.ts'

/** One request, as a fault befalls it. */
export interface Befallen {
  /** Does what is asked, by a service that may be in a bad state, and answers. */
  answer(service: Service): Promise<HttpResponse>
  /** Answers with a refusal. */
  refuse(fault: ServiceFault): HttpResponse
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
    case 'lost answer':
      await request.answer(service)
      return { kind: 'lost', connection: fault.connection ?? 'closed' }
    case 'refusal':
      if (fault.applied === true) await request.answer(service)
      return { kind: 'whole', response: request.refuse(refusalOf(fault)) }
    case 'cut page':
      return whole(await request.answer({ ...service, rowsToRead: fault.rows }))
    case 'wrong clock':
      return whole(await request.answer({ ...service, clock: service.clock.shifted(fault.offset) }))
    case 'duplicate delivery':
      return whole(await answerTwice(service, request, fault.answer ?? 'first'))
    default:
      return slowed(await request.answer(service), fault)
  }
}

type SlowFault = LateAnswerFault | SlowBodyFault | TruncatedBodyFault

function slowed(response: HttpResponse, fault: SlowFault): Delivery {
  if (fault.kind === 'late answer') return { kind: 'late', response, delay: fault.delay }
  const length = Buffer.byteLength(response.body)
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

async function answerTwice(
  service: Service,
  request: Befallen,
  shown: 'first' | 'second',
): Promise<HttpResponse> {
  const first = await request.answer(service)
  const second = await request.answer(service)
  return shown === 'first' ? first : second
}

function refusalOf({ code, retryAfter }: RefusalFault): ServiceFault {
  if (retryAfter === undefined) return new ServiceFault(code)
  return new ServiceFault(code, {
    headers: {
      'retry-after': String(Math.ceil(retryAfter / 1000)),
      'x-ms-retry-after-ms': String(retryAfter),
    },
  })
}

function whole(response: HttpResponse): Delivery {
  return { kind: 'whole', response }
}
