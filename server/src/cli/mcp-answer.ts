// The answer of a tool, as text. An error of the service is an answer too: it says what to correct.

/** About 50,000 tokens: more would fill the context of an assistant. */
const MAX_CHARACTERS = 200_000;

type Answer = { readonly isError?: true; readonly content: { readonly type: 'text'; readonly text: string }[] };

export async function answer(read: () => Promise<unknown>): Promise<Answer> {
  try {
    const text = JSON.stringify(await read());
    return text.length > MAX_CHARACTERS ? fail(describeLength(text.length)) : { content: [{ type: 'text', text }] };
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
}

function fail(text: string): Answer {
  return { isError: true, content: [{ type: 'text', text }] };
}

function describeLength(length: number): string {
  return `The answer has ${length} characters, more than the limit of ${MAX_CHARACTERS}. Ask for fewer days or metrics, or without stages.`;
}
