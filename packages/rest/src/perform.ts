import type { CallOptions } from './call-options.ts'
import { OptionValueError } from './errors/option-value-error.ts'
import { withRequestId } from './http/with-request-id.ts'
import type { Operation } from './operation.ts'
import type { TableService } from './table-service.ts'
import type { Ask } from './truth/witness-of.ts'

/**
 * The straight line, once: operation → request → sign → transport → answer → result. The four after
 * the request are one attempt, and are made again where that helps and does no harm.
 *
 * @param service - where to send and as whom, from {@link tableService}
 * @param operation - one of the operations of this package
 * @param input - what the operation needs
 * @param options - signal, timeout, retry and context of this one call
 * @returns what the operation makes of the answer
 * @throws an InputError before anything is sent, a TransportError when no answer came, a
 * ServiceError when the service said no, an AbortError when the signal aborted, a DeadlineError when
 * the time was over, an AmbiguousWriteError when a write may have been applied and nobody can say
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
  const { credential, transport, endpoint } = service
  const sent = service.asSent(operation)
  const request = withRequestId(sent.toRequest(input, endpoint), service.newId())
  return service.attempts({
    request,
    operation: sent,
    input,
    options,
    credential,
    async attempt(steps) {
      const signed = await steps.sign()
      const response = await transport(signed, steps.limits)
      const answer = await steps.accept(response)
      return sent.fromResponse(answer, input)
    },
    ask: (within) => askingOf(service, within),
  })
}

/** Looks at what is stored, to settle what became of a write. */
function askingOf(service: TableService, within: CallOptions): Ask {
  return (operation, input) => perform(service, operation, input, within)
}

function checkInput(operation: string, input: unknown): void {
  if (typeof input === 'object' && input !== null) return
  throw new OptionValueError({ message: `The input of ${operation} must be an object.` })
}
