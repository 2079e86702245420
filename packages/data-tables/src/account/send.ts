import { type HttpRequest, type Operation, perform, type Transport } from '@rowkey/rest'
import type { RestError } from '../errors/rest-error.ts'
import { type LastExchange, toRestError } from '../errors/to-rest-error.ts'
import type { PipelineResponse } from '../pipeline/interfaces.ts'
import {
  fromPipelineRequest,
  fromPipelineResponse,
  toPipelineRequest,
  toPipelineResponse,
} from '../pipeline/messages.ts'
import { throughPolicies } from '../pipeline/pipeline.ts'
import { type Exchange, recorded } from '../pipeline/pipeline-transport.ts'
import { headersOf } from './client-options.ts'
import type { OpenClient } from './open-client.ts'
import { limitsOf, type OperationOptions, type SetPropertiesOptions } from './operation-options.ts'
import { factsOf, type ResponseFacts } from './response-headers.ts'

/** What a method reads from the response to its call. */
export interface Reply<Output> {
  /** The result of the operation. */
  readonly output: Output
  /** The headers of the response, under their names in results. */
  readonly facts: ResponseFacts
  /** The whole response. */
  readonly response: PipelineResponse
}

/** An operation with its input. */
export interface Sending<Input, Output> {
  /** The operation. */
  readonly operation: Operation<Input, Output>
  /** Its input. */
  readonly input: Input
  /** The method, for messages. */
  readonly where: string
}

/**
 * Sends one operation for a client: through the policies of calls, with Rowkey's retries, and with the errors that
 * callers of the official client know.
 *
 * @param client - what to send with
 * @param sending - the operation
 * @param given - the options of the call; programs in JavaScript say null for none
 * @param toResult - makes the result of the method
 * @throws RestError for an error of the service or of the connection
 */
export async function send<Input, Output, Result>(
  client: OpenClient,
  { operation, input, where }: Sending<Input, Output>,
  given: OperationOptions | null,
  toResult: (reply: Reply<Awaited<Output>>) => Result,
): Promise<Result> {
  const { service, pipeline } = client
  const options = given ?? {}
  const limits = limitsOf(options, where)
  const call = new SentCall(client, options)
  const request = call.complete(operation.toRequest(input, service.endpoint))
  let output: { readonly value: Awaited<Output> } | undefined
  const sendBy = async (transport: Transport, exact: HttpRequest): Promise<void> => {
    const recording = { ...service, transport: recorded(transport, call.id, call.record) }
    const value = await perform(recording, { ...operation, toRequest: () => exact }, input, limits)
    output = { value }
  }
  try {
    const policies = pipeline.ofCalls
    if (policies.length === 0) await sendBy(service.transport, request)
    else {
      const { tracingOptions } = options
      const first = toPipelineRequest(request, limits, tracingOptions && { tracingOptions })
      const response = await throughPolicies(policies, first, async (changed) => {
        await sendBy(service.transport, fromPipelineRequest(changed, request)).catch(call.fail)
        return { ...call.response, request: changed }
      })
      // A policy that responds by itself has sent nothing; what it responds is read in the same way.
      if (output === undefined) await sendBy(async () => fromPipelineResponse(response), request)
    }
    const { value } = output!
    const { facts, response } = call
    const result = toResult({ output: value, facts, response })
    call.report(result)
    return result
  } catch (error) {
    return call.fail(error)
  }
}

/** One call of a client, and the last exchange that it made. */
class SentCall {
  readonly id: string
  readonly #client: OpenClient
  readonly #options: SetPropertiesOptions
  #last: Exchange | undefined
  #isReported = false

  constructor(client: OpenClient, options: SetPropertiesOptions) {
    this.#client = client
    this.#options = options
    this.id =
      this.#customHeaders['x-ms-client-request-id'] ?? options.requestId ?? client.service.newId()
  }

  readonly record = (exchange: Exchange): void => {
    this.#last = exchange
  }

  /** Adds the headers of the options. */
  complete(request: HttpRequest): HttpRequest {
    const { options, service } = this.#client
    const headers = {
      ...request.headers,
      'x-ms-client-request-id': this.id,
      ...headersOf(options, this.id, service.userAgent),
      ...this.#customHeaders,
    }
    return { ...request, headers }
  }

  /** The last response; a lost one that a read has settled counts as an empty one. */
  get response(): PipelineResponse {
    const { request, response = { status: 204, headers: {}, body: '' } } = this.#last!
    return toPipelineResponse(response, toPipelineRequest(request))
  }

  /** The headers of the last response. */
  get facts(): ResponseFacts {
    return factsOf(this.response.headers)
  }

  /** Calls `onResponse` with the response, and with what it contains: JSON as it is, XML as the result. */
  report(result: unknown): void {
    const { onResponse } = this.#options
    if (onResponse == null || this.#last?.response === undefined || this.#isReported) return
    this.#isReported = true
    const { response, facts: parsedHeaders } = this
    const json = jsonOf(response.bodyAsText ?? '')
    const flat = typeof json === 'object' && json !== null ? { ...parsedHeaders, ...json } : result
    const parsedBody = json ?? (response.bodyAsText ? result : undefined)
    onResponse({ ...response, parsedHeaders: { ...parsedHeaders }, parsedBody }, flat)
  }

  /** Throws the error of the call in the form that callers know. */
  readonly fail = (error: unknown): never => {
    const shown = toRestError(error, this.#exchange)
    const { onResponse } = this.#options
    const { response, details } = Object(shown) as RestError
    if (shown !== error && response !== undefined && !this.#isReported) {
      this.#isReported = true
      onResponse?.(response, details, shown)
    }
    throw shown
  }

  get #exchange(): LastExchange {
    if (this.#last === undefined) return {}
    if (this.#last.response === undefined) return { request: toPipelineRequest(this.#last.request) }
    const { response } = this
    return { request: response.request, response }
  }

  get #customHeaders(): Readonly<Record<string, string>> {
    const { customHeaders = {} } = this.#options.requestOptions ?? {}
    return Object.fromEntries(
      Object.entries(customHeaders).map(([name, value]) => [name.toLowerCase(), String(value)]),
    )
  }
}

function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
