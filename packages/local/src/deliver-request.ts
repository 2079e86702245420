import type { HttpRequest } from '@rowkey/rest'
import { answerRequest, refuseRequest } from './answer-request.ts'
import { ServiceFault } from './fault/service-fault.ts'
import type { Delivery } from './injection/delivery.ts'
import { type Befallen, injectFault } from './injection/inject-fault.ts'
import type { InjectedFault } from './injection/injected-fault.ts'
import type { Service } from './service/service.ts'

/**
 * What a client gets for a request: its answer, unless a rule of the service lets a fault befall it.
 *
 * @param address - the client's IP address
 */
export async function deliverRequest(
  service: Service,
  request: HttpRequest,
  address?: string,
): Promise<Delivery> {
  const fault = nextFault(service, request)
  if (fault instanceof ServiceFault) return deliverRefusal(service, request, fault)
  const end = service.requests.begin(request, fault)
  const delivery =
    fault === undefined
      ? ({ kind: 'whole', response: await answerRequest(service, request, address) } as const)
      : await injectFault(service, befallen(service, request, address), fault)
  if (delivery.kind !== 'lost') end(delivery.response)
  return delivery
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
