import { ServiceFault } from '../fault/service-fault.ts'

/** The refusal that tells a client where tokens come from; the tenant is nobody's. */
export function challenge(): ServiceFault {
  return new ServiceFault('InvalidAuthenticationInfo', {
    status: 401,
    text: 'Server failed to authenticate the request. Please refer to the information in the www-authenticate header.',
    headers: {
      'www-authenticate':
        'Bearer authorization_uri=https://login.microsoftonline.com/00000000-0000-0000-0000-000000000000/oauth2/authorize resource_id=https://storage.azure.com',
    },
  })
}
