import { invalidTarget } from './invalid-target.ts'

const SCHEME = 'file:'

/**
 * Returns the folder of a `file:` target. A relative path starts at the working directory; absolute
 * paths and `file://` URLs work, too.
 *
 * @throws InputError (`InvalidTarget`) unless the target is a folder of this machine
 */
export function folderOf(target: string): string {
  const rest = target.trim().slice(SCHEME.length)
  const path = rest.startsWith('//') ? pathOfUrl(rest) : rest
  if (path === '') throw invalidTarget("'file:' without a folder, as in 'file:./data'")
  return path
}

/** Decodes the path of a `file:` URL. A Windows drive follows one more slash. */
function pathOfUrl(rest: string): string {
  const { host, pathname } = parseUrl(rest)
  if (host !== '' && host !== 'localhost') {
    throw invalidTarget("a 'file:' URL on another host")
  }
  const path = decode(pathname)
  return /^\/[A-Za-z]:(?:\/|$)/.test(path) ? path.slice(1) : path
}

function parseUrl(rest: string): { host: string; pathname: string } {
  const [, host = '', pathname = ''] = /^\/\/([^/]*)(.*)$/s.exec(rest) ?? []
  return { host, pathname }
}

function decode(pathname: string): string {
  try {
    return decodeURIComponent(pathname)
  } catch {
    throw invalidTarget("a 'file:' URL that is not percent-encoded")
  }
}
