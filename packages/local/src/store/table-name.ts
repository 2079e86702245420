import { ServiceFault } from '../fault/service-fault.ts'

const MIN_LENGTH = 3
const MAX_LENGTH = 63
const NAME = /^[A-Za-z][A-Za-z0-9]*$/

/** Refuses a name that no table may have. */
export function checkTableName(name: string): void {
  if (!NAME.test(name) || name.toLowerCase() === 'tables') {
    throw new ServiceFault('InvalidResourceName')
  }
  if (name.length < MIN_LENGTH || name.length > MAX_LENGTH) {
    throw new ServiceFault('OutOfRangeInput', {
      text: 'The specified resource name length is not within the permissible limits.',
    })
  }
}
