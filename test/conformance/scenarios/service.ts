import { expect } from 'vitest'
import type { Scenario } from '../scenario.ts'

const XML = { accept: 'application/xml', 'content-type': 'application/xml' }

/** Access policies, service properties, and what every answer carries. */
export const serviceScenarios: readonly Scenario[] = [
  {
    title: 'keeps access policies, and puts others in their place',
    async run({ client, name }) {
      const policy = (id: string) =>
        `<SignedIdentifier><Id>${id}</Id><AccessPolicy><Start>2026-01-01T00:00:00Z</Start><Expiry>2099-01-01T00:00:00Z</Expiry><Permission>r</Permission></AccessPolicy></SignedIdentifier>`
      for (const ids of [['a', 'b'], ['c']]) {
        const body = `<?xml version="1.0"?><SignedIdentifiers>${ids.map(policy).join('')}</SignedIdentifiers>`
        const set = await client.send('PUT', `/${name}?comp=acl`, { headers: XML, body })
        expect(set.status).toBe(204)
        const read = await client.send('GET', `/${name}?comp=acl`, { headers: XML })
        expect(Array.from(read.body.matchAll(/<Id>(\w+)<\/Id>/g), ([, id]) => id)).toEqual(ids)
        expect(read.body).toContain('<Permission>r</Permission>')
      }
    },
  },
  {
    title: 'keeps the rules for other origins, and heeds them',
    emulatorOnly: "it replaces the account's CORS rules",
    async run({ client }) {
      const rule =
        '<CorsRule><AllowedOrigins>https://contoso.com</AllowedOrigins><AllowedMethods>GET</AllowedMethods><MaxAgeInSeconds>5</MaxAgeInSeconds><ExposedHeaders>x-ms-*</ExposedHeaders><AllowedHeaders>x-ms-*</AllowedHeaders></CorsRule>'
      const target = '/?restype=service&comp=properties'
      const propertiesOf = (rules: string) =>
        `<?xml version="1.0"?><StorageServiceProperties><Cors>${rules}</Cors></StorageServiceProperties>`
      const set = await client.send('PUT', target, { headers: XML, body: propertiesOf(rule) })
      expect(set.status).toBe(202)
      const read = await client.send('GET', target, { headers: XML })
      expect(read.body).toContain('https://contoso.com')
      const listed = await client.send('GET', '/Tables', {
        headers: { origin: 'https://contoso.com' },
      })
      expect(listed.headers['access-control-allow-origin']).toBe('https://contoso.com')
      await client.send('PUT', target, { headers: XML, body: propertiesOf('') })
    },
  },
  {
    title: 'gives every answer an id of its own, and the version it was made for',
    async run({ query }) {
      const [one, other] = [await query(''), await query('')]
      expect(one.headers['x-ms-request-id']).not.toBe(other.headers['x-ms-request-id'])
      expect(one.headers['x-ms-version']).toMatch(/^\d{4}-\d\d-\d\d$/)
    },
  },
  {
    title: 'refuses a request whose signature is wrong',
    azuriteDiffers: '11: every refusal is AuthorizationFailure, in XML of another form',
    async run({ client }) {
      const target = '/Tables'
      const { origin, basePath, account } = client.endpoint
      const refused = await client.sendUnsigned({
        method: 'GET',
        origin,
        path: basePath + target,
        query: '',
        body: undefined,
        headers: {
          accept: 'application/json;odata=nometadata',
          'x-ms-date': new Date().toUTCString(),
          'x-ms-version': '2019-02-02',
          authorization: `SharedKeyLite ${account}:${Buffer.alloc(32).toString('base64')}`,
        },
      })
      expect(refused.status).toBe(403)
      expect(refused.body).toContain('<m:code>AuthenticationFailed</m:code>')
    },
  },
]
