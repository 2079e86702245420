import { checkPropertyName } from '@rowkey/odata'
import { ServiceFault } from '../fault/service-fault.ts'

/** UTF-16 units of a property's name. */
const MAX_PROPERTY_NAME_LENGTH = 255

/** Refuses a property name that is too long or no identifier. */
export function checkMemberName(name: string): void {
  if (name.length > MAX_PROPERTY_NAME_LENGTH) throw new ServiceFault('PropertyNameTooLong')
  try {
    checkPropertyName(name)
  } catch (cause) {
    throw new ServiceFault('PropertyNameInvalid', { cause })
  }
}
