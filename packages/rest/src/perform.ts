import type { CallOptions } from './call-options.ts'
import { OptionValueError } from './errors/option-value-error.ts'
import { withRequestId } from './http/with-request-id.ts'
import type { Operation } from './operation.ts'
import type { TableService } from './table-service.ts'

/**
 * The straight line, once: operation → request → sign → transport → answer → result.
 *
 * @param service - where to send and as whom, from {@link tableService}
 * @param operation - one of the operations of this package
 * @param input - what the operation needs
 * @param options - signal, timeout, retry and context of this one call
 * @returns what the operation makes of the answer
 * @throws an InputError before anything is sent, a TransportError when no answer came, a
 * ServiceError when the service said no, an AbortError when the signal aborted
 *
 * @example
 * ```ts
 * const service = tableService({ connectionString: process.env.TABLES! })
 * const { raw } = await perform(service, getEntity, {
 *   table: 'people',
 *   key: { partitionKey: 'Smith', rowKey: 'Jeff' },
 * })
 * ```
 */
export async function perform<Input, Output>(
  service: TableService,
  operation: Operation<Input, Output>,
  input: Input,
  options: CallOptions = {},
): Promise<Awaited<Output>> {
  checkInput(operation.name, input)
  const request = withRequestId(operation.toRequest(input, service.endpoint), service.newId())
  const response = await service.attempts(request, operation, options, async (limits) => {
    const signed = await service.credential.authorize(request, service.endpoint, service.now())
    return service.transport(signed, limits)
  })
  return await operation.fromResponse(response, input)
}

function checkInput(operation: string, input: unknown): void {
  if (typeof input === 'object' && input !== null) return
  throw new OptionValueError({ message: `The input of ${operation} must be an object.` })
}
