import type { HttpRequest } from '@rowkey/rest'
import { answerRequest, refuseRequest } from './answer-request.ts'
import { ServiceFault } from './fault/service-fault.ts'
import type { Delivery, DeliverySource } from './injection/delivery.ts'
import { type Befallen, injectFault } from './injection/inject-fault.ts'
import type { InjectedFault } from './injection/injected-fault.ts'
import type { Service } from './service/service.ts'

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
  if (fault instanceof ServiceFault) return deliverRefusal(service, request, fault)
  const end = service.requests.begin(request, fault)
  const delivery =
    fault === undefined
      ? ({ kind: 'whole', response: await answerRequest(service, request, address) } as const)
      : await injectFault(service, befallen(service, request, address), fault)
  if (delivery.kind === 'lost') return delivery
  const sent = hasRoom(delivery.response.body.length) ? delivery : busy(service, request)
  end(sent.response)
  return sent
}

/** The response when its clients read too slowly for the listener to hold another page. */
function busy(service: Service, request: HttpRequest): Delivery & { readonly kind: 'whole' } {
  const response = refuseRequest(service, request, new ServiceFault('ServerBusy'))
  return { kind: 'whole', response }
}

/** What is to befall a request; a refusal when a function of a rule failed, which is reported. */
function nextFault(
  service: Service,
  request: HttpRequest,
): InjectedFault | ServiceFault | undefined {
  try {
    return service.faults.next(request)
  } catch (cause) {
    service.report(cause)
    return new ServiceFault('InternalError', { cause })
  }
}

/** The answer to a request that the listener refuses before anybody could take it apart. */
export function deliverRefusal(
  service: Service,
  request: HttpRequest,
  fault: ServiceFault,
): Delivery {
  const end = service.requests.begin(request, undefined)
  const response = refuseRequest(service, request, fault)
  end(response)
  return { kind: 'whole', response }
}

function befallen(service: Service, request: HttpRequest, address: string | undefined): Befallen {
  return {
    answer: (placed) => answerRequest(placed, request, address),
    refuse: (fault) => refuseRequest(service, request, fault),
  }
}
