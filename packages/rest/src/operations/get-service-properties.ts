import { checkStorage } from '../endpoint/check-storage.ts'
import { getRequest } from '../request/get-request.ts'
import type { Operation } from '../request/operation.ts'
import type { ServiceProperties } from '../service-properties/service-properties.ts'
import { readServiceProperties } from '../service-properties/service-properties-xml.ts'
import { XML_READ_HEADERS } from '../xml/read-xml.ts'

/**
 * Reads the service properties: logging, metrics and CORS rules.
 *
 * @see https://learn.microsoft.com/rest/api/storageservices/get-table-service-properties
 */
export const getServiceProperties: Operation<object, Promise<ServiceProperties>> = {
  name: 'getServiceProperties',
  statuses: [200],

  toRequest(_, endpoint) {
    checkStorage('getServiceProperties', endpoint)
    return getRequest(
      endpoint,
      `${endpoint.basePath}/`,
      'restype=service&comp=properties',
      XML_READ_HEADERS,
    )
  },

  fromResponse: ({ body }) => readServiceProperties(body),
}
