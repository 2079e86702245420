import { parseEntityJson } from '@rowkey/odata'
import { ServiceFault } from '../fault/service-fault.ts'
import { checkDistinctMembers } from './check-distinct-members.ts'

/** A request body's JSON object, whole Doubles annotated, no member given twice. */
export type BodyMembers = Readonly<Record<string, unknown>>

/** Reads a request body that must be one JSON object. */
export function readMembers(body: string): BodyMembers {
  const members = parseJson(body)
  if (typeof members !== 'object' || members === null || Array.isArray(members)) {
    throw new ServiceFault('InvalidInput', {
      text: 'The request body must be one JSON object.',
    })
  }
  checkDistinctMembers(body)
  return members as BodyMembers
}

function parseJson(body: string): unknown {
  try {
    return parseEntityJson(body)
  } catch (cause) {
    throw new ServiceFault('InvalidInput', {
      text: 'An error occurred while processing this request.',
      cause,
    })
  }
}
