import type { AttemptLimits, HttpRequest, Transport } from '@rowkey/rest'
import type { HttpClient, PipelineRequest, SendRequest } from './interfaces.ts'
import {
  fromPipelineRequest,
  fromPipelineResponse,
  type RequestSettings,
  toPipelineRequest,
  toPipelineResponse,
} from './messages.ts'
import { type PolicyPipeline, throughPolicies } from './pipeline.ts'

/**
 * Makes a transport of an HTTP client of the caller.
 *
 * @param client - sends the requests
 * @param settings - what the options of the client add to each request
 */
export function clientTransport(client: HttpClient, settings: RequestSettings): Transport {
  return async (request, limits) =>
    fromPipelineResponse(await client.sendRequest(toPipelineRequest(request, limits, settings)))
}

/**
 * Sends every attempt through the policies that see attempts.
 *
 * @param pipeline - the policies, which may change at any time
 * @param transport - sends in the end
 */
export function withAttemptPolicies(pipeline: PolicyPipeline, transport: Transport): Transport {
  const send: Transport = async (request, limits) => {
    const policies = pipeline.ofAttempts
    if (policies.length === 0) return transport(request, limits)
    const last: SendRequest = async (changed) => {
      const sent = fromPipelineRequest(changed, request)
      return toPipelineResponse(await transport(sent, limitsOf(changed, limits)), changed)
    }
    const first: PipelineRequest = toPipelineRequest(request, limits)
    return fromPipelineResponse(await throughPolicies(policies, first, last))
  }
  return transport.close === undefined
    ? send
    : Object.assign(send, { close: transport.close.bind(transport) })
}

/** A policy may set a shorter time for the attempt. */
function limitsOf({ timeout }: PipelineRequest, limits: AttemptLimits = {}): AttemptLimits {
  return timeout > 0 ? { ...limits, timeout } : limits
}

/** Every exchange of one call: the requests as they were sent, and the responses. */
export interface Exchange {
  readonly request: HttpRequest
  readonly response?: Awaited<ReturnType<Transport>>
}

/**
 * Records the exchanges of one call. The reads that find out whether a write was applied have another id.
 *
 * @param transport - sends the requests
 * @param id - the client's id of the call
 * @param record - receives each exchange
 */
export function recorded(
  transport: Transport,
  id: string,
  record: (exchange: Exchange) => void,
): Transport {
  return async (request, limits) => {
    if (request.headers['x-ms-client-request-id'] !== id) return transport(request, limits)
    record({ request })
    const response = await transport(request, limits)
    record({ request, response })
    return response
  }
}
