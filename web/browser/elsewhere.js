// A figure with the reader's inputs as lines to run elsewhere, with the installed package, and as data.

export function python(name, inputs) {
  const given = Object.entries(inputs).map(([key, value]) => `    ${key}=${JSON.stringify(value)},\n`);
  return `from calc.figure import registry

found = registry.find("${name}").answer(
${given.join("")})
print(found.finding)
for name, value in found.values.items():
    print(f"{name:16} {value.text}")
`;
}

export function commandLine(name, inputs) {
  const words = Object.entries(inputs).map(([key, value]) => quoted(`${key}=${value}`));
  return ["rooflines figure", name, ...words].join(" ");
}

// With what was answered, where it is the answer to these inputs.
export function json(name, inputs, answer) {
  const numbers = answer && Object.entries(answer.values).map(([key, { number, unit }]) => [key, { number, unit }]);
  const said = answer ? { finding: answer.finding, values: Object.fromEntries(numbers) } : {};
  return JSON.stringify({ figure: name, inputs, ...said }, null, 2);
}

const quoted = (word) => (/^[\w./=~:-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);
