/**
 * A path as the start of every other: `/devstoreaccount1/` becomes `/devstoreaccount1`, and `/`
 * nothing.
 *
 * @param path - the path of a URL
 */
export function withoutTrailingSlashes(path: string): string {
  let end = path.length
  while (path[end - 1] === '/') end--
  return path.slice(0, end)
}
