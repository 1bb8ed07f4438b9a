/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The data, deflated and in base64, as JSON. */

async function unpackData(text) {
  if (!window.DecompressionStream) {
    document.getElementById("about").textContent = "This page needs a browser of 2023 or later, which can unpack its data.";
    return null;
  }
  const bytes = Uint8Array.from(atob(text.trim()), character => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
}
