import { createHmac, createSecretKey } from 'node:crypto'

/** The headers of a signed request; the text of the date is cached for a second. */
export function sharedKeyLite(account, key) {
  const secret = createSecretKey(key, 'base64')
  let second = 0
  let date = ''
  return (path) => {
    const now = Date.now()
    if (Math.floor(now / 1000) !== second) {
      second = Math.floor(now / 1000)
      date = new Date(now).toUTCString()
    }
    const text = `${date}\n/${account}${path}`
    const signature = createHmac('sha256', secret).update(text).digest('base64')
    return [
      ...['authorization', `SharedKeyLite ${account}:${signature}`],
      ...['x-ms-date', date],
      ...['x-ms-version', '2019-02-02'],
      ...['accept', 'application/json;odata=minimalmetadata'],
      ...['dataserviceversion', '3.0'],
    ]
  }
}
