import { ServiceFault } from '../fault/service-fault.ts'
import type { QueryParameters } from './query-parameters.ts'

/**
 * Refuses a `timeout` that is no number of seconds. More than the 30 that the service works at most
 * is taken for 30.
 *
 * @throws ServiceFault InvalidQueryParameterValue
 */
export function checkTimeout(query: QueryParameters): void {
  const timeout = query.get('timeout')
  if (timeout === undefined || /^\d{1,9}$/.test(timeout)) return
  throw new ServiceFault('InvalidQueryParameterValue', {
    text: `The timeout of '${timeout}' is not a whole number of seconds.`,
  })
}
