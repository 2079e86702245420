import { TargetError } from './target-error.ts'

const SCHEME = 'file:'

/**
 * The folder that a `file:` target names: a path from where the program runs, an absolute path, or
 * a `file://` URL.
 *
 * @throws TargetError when it names none
 */
export function folderOf(target: string): string {
  const rest = target.trim().slice(SCHEME.length)
  const path = rest.startsWith('//') ? pathOfUrl(rest) : rest
  if (path === '')
    throw new TargetError({ target: "'file:' without a folder, as in 'file:./data'" })
  return path
}

/** Of a URL only the path counts, percent-decoded; a drive of Windows stands behind one more slash. */
function pathOfUrl(rest: string): string {
  const { host, pathname } = parseUrl(rest)
  if (host !== '' && host !== 'localhost') {
    throw new TargetError({ target: "a 'file:' URL on another host" })
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
    throw new TargetError({ target: "a 'file:' URL that is not percent-encoded" })
  }
}
