import { checkStorage } from '../endpoint/check-storage.ts'
import { isChecked } from '../endpoint/checks.ts'
import { type Operation, repeatable } from '../request/operation.ts'
import { checkServiceProperties } from '../service-properties/check-service-properties.ts'
import type { ServiceProperties } from '../service-properties/service-properties.ts'
import { writeServiceProperties } from '../service-properties/service-properties-xml.ts'
import { XML_BODY_HEADERS } from '../xml/write-xml.ts'

/**
 * Changes the service properties: logging, metrics and CORS rules. Properties that are left out stay as
 * they are. It may take 30 seconds until the change takes effect.
 *
 * @see https://learn.microsoft.com/rest/api/storageservices/set-table-service-properties
 */
export const setServiceProperties: Operation<ServiceProperties, void> = {
  name: 'setServiceProperties',
  statuses: [202],

  toRequest(properties, endpoint) {
    checkStorage('setServiceProperties', endpoint)
    if (isChecked(endpoint, 'serviceProperties')) checkServiceProperties(properties)
    return {
      method: 'PUT',
      origin: endpoint.origin,
      path: `${endpoint.basePath}/`,
      query: 'restype=service&comp=properties',
      headers: XML_BODY_HEADERS,
      body: writeServiceProperties(properties),
    }
  },

  fromResponse() {},

  reconcile: repeatable,
}
