/**
 * Returns a function that makes a value once for each object, and returns the same from then on.
 *
 * @param make - makes the value
 */
export function onceForEach<Given extends object, Made extends object>(
  make: (given: Given) => Made,
): (given: Given) => Made {
  const known = new WeakMap<Given, Made>()
  return (given) => {
    let made = known.get(given)
    if (made === undefined) {
      made = make(given)
      known.set(given, made)
    }
    return made
  }
}
