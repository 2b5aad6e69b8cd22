//! Tables of texts and the blocks in them: the cases that people met, and those of the same kinds.

use convlog_codeblock::{CodeblockStream, codeblocks};

/// Checks language, content and start of all blocks, in the whole text and streamed character by character.
#[track_caller]
fn check(text: &str, expected: &[(&str, &str, usize)]) {
    let blocks: Vec<_> = codeblocks(text).collect();
    let found: Vec<_> = blocks.iter().map(|b| (b.lang(), b.content(), b.start())).collect();
    let expected: Vec<_> = expected.iter().map(|(lang, content, line)| (*lang, *content, Some(*line))).collect();
    assert_eq!(found, expected, "{text}");

    let mut stream = CodeblockStream::new();
    let mut streamed = Vec::new();
    let mut buffer = [0; 4];
    for c in text.chars() {
        streamed.extend(stream.feed(c.encode_utf8(&mut buffer)));
    }
    let end = stream.finish();
    streamed.extend(end.blocks);
    assert!(streamed.ends_with(&blocks), "{text}");
    assert_eq!(end.open, codeblocks(text).into_open_block(), "{text}");
}

#[test]
fn b149_fences_of_any_length() {
    check("````save a.md\n```py\nx\n```\n````", &[("save a.md", "```py\nx\n```", 0)]);
    check("`````\n````\n```\n`````\n", &[("", "````\n```", 0)]);
    check("```save a.md\n# T\n```py\nx\n```\n```\n", &[("save a.md", "# T\n```py\nx\n```", 0)]);
    check("```save a.md\n```py\n```sh\ny\n```\n```\n```\n", &[("save a.md", "```py\n```sh\ny\n```\n```", 0)]);
    check("``\nx\n``\n", &[]);
    check("```\n```", &[("", "", 0)]);
    check("```py\n\n```", &[("py", "", 0)]);
}

#[test]
fn b150_no_nesting_where_there_is_none() {
    check("```shell\necho hi\n```\ntext\n\n```\nhi\n```", &[("shell", "echo hi", 0), ("", "hi", 5)]);
    check("```ipython\n1\n```\ntext\n```\nhi\n```\ntext\n", &[("ipython", "1", 0), ("", "hi", 4)]);
    check("```py\nx\n```\n```js\ny\n```", &[("py", "x", 0), ("js", "y", 3)]);
    check("```py\nx\n```\n\n\n```js\ny\n```", &[("py", "x", 0), ("js", "y", 5)]);
}

#[test]
fn b151_text_straight_after_a_closing_fence() {
    check("```python\nprint(1)\n```\nmore text", &[("python", "print(1)", 0)]);
    check("```a\n1\n```\nmore\n```b\n2\n```\nmore\n", &[("a", "1", 0), ("b", "2", 4)]);
    // What comes behind it is read by gptme's rules again.
    let save = "```save a.md\n```py\nx\n```\n```\n";
    check(&format!("```a\n1\n```\nmore\n{save}"), &[("a", "1", 0), ("save a.md", "```py\nx\n```", 4)]);
    let here = "```sh\ncat <<E\n```py\nx\n```\nE\n```\n";
    check(&format!("```a\n1\n```\nmore\n{here}"), &[("a", "1", 0), ("sh", "cat <<E\n```py\nx\n```\nE", 4)]);
}

#[test]
fn commonmark_where_gptme_finds_nothing() {
    check("~~~py\nx\n~~~\n", &[("py", "x", 0)]);
    check("~~~ a`b\n```\n~~~~\n", &[("a`b", "```", 0)]);
    check("  ```py\n  x\n    y\n z\n  ```\n", &[("py", "x\n  y\nz", 0)]);
    check("- item\n  ```sh\n  ls\n  ```\n", &[("sh", "ls", 1)]);
    check("    ```py\n    x\n    ```\n", &[]);
    check("```py\nx\n````\n", &[("py", "x", 0)]);
    check("```py\nx\n  ```\n", &[("py", "x", 0)]);
    check("```py\nx\n    ```\n", &[]);
    check("``````py\nx\n``````\n", &[("py", "x", 0)]);
    check("```sh\necho it's\n```\n", &[("sh", "echo it's", 0)]);
    check("```py\nx\n```\n\n~~~sh\ny\n~~~\n\n```js\nz\n```\n", &[("py", "x", 0), ("sh", "y", 4), ("js", "z", 8)]);
    // gptme finds one among its lines, so the outer one is none.
    check("~~~md\n```py\nx\n```\n\n~~~\n\n~~~sh\ny\n~~~\n", &[("py", "x", 1), ("sh", "y", 7)]);
}

#[test]
fn b152_strings_and_here_documents() {
    check(
        "```shell\ncat > a.md <<'EOF'\n```\nx\n```\nEOF\n```\n",
        &[("shell", "cat > a.md <<'EOF'\n```\nx\n```\nEOF", 0)],
    );
    check("```bash\ncat <<EOF\n```py\nx\n```\nEOF\n```\ntext", &[("bash", "cat <<EOF\n```py\nx\n```\nEOF", 0)]);
    check("```sh\ns='\n```\n'\n```\n", &[("sh", "s='\n```\n'", 0)]);
    check("```sh\nx=$((1 << 3)) # <<EOF\n```\ntext\n", &[("sh", "x=$((1 << 3)) # <<EOF", 0)]);
    check("```sh\ncat <<EOF\n```\ntext\n", &[("sh", "cat <<EOF", 0)]);
    check("```ipython\ns = \"\"\"\n```\n\"\"\"\n```\ntext", &[("ipython", "s = \"\"\"\n```\n\"\"\"", 0)]);
    check("```ipython\ns = '''\n```py\n'''\n```\n", &[("ipython", "s = '''\n```py\n'''", 0)]);
}

#[test]
fn b155_line_ends() {
    check("```py\r\nx\r\n```\r\n", &[("py", "x", 0)]);
    check("a\r```py\rx\r\ry\r```\r", &[("py", "x\n\ny", 1)]);
    check("```py\nx\u{2028}```\u{85}\n```\u{b}\n", &[("py", "x\u{2028}```\u{85}", 0)]);
}

#[test]
fn b157_the_fence_comes_back() {
    let text = "````md\n```\nx\n```\n````";
    let block = codeblocks(text).next().unwrap();
    assert_eq!(block.fence().to_string(), "````");
    assert_eq!(block.to_markdown(), text);
}

#[test]
fn b158_thinking() {
    check("<think>\n```py\nx\n```\n</think>\n```sh\ny\n```", &[("sh", "y", 1)]);
    check("<thinking>\n```py\nx\n</thinking>\n```sh\ny\n```", &[("sh", "y", 1)]);
    check("```thinking>\n```py\nx\n```\n</thinking>```sh\ny\n```", &[("sh", "y", 0)]);
    check("<think>\n```py\nx\n```\n\n", &[]);
    check("<think>\n~~~py\nx\n~~~\n\n", &[]);
    check("```py\nx\n```<think>\n```sh\ny\n```\n</think>", &[("py", "x", 0), ("sh", "y", 3)]);
}

#[test]
fn adjacent_fences() {
    check("```py\nx\n``````sh\ny\n```", &[("py", "x", 0), ("sh", "y", 2)]);
    check("``````py\nx\n```", &[("py", "x", 0)]);
    check("```py\nx\n```````\ny\n````", &[("py", "x", 0), ("", "y", 2)]);
}

#[test]
fn b160_an_open_block_is_for_showing() {
    let check_open = |text: &str, expected: Option<(&str, &str)>| {
        check(text, &[]);
        let open = codeblocks(text).into_open_block();
        assert_eq!(open.as_ref().map(|block| (block.lang(), block.content())), expected, "{text}");
    };
    check_open("```py\nx", Some(("py", "x")));
    check_open("```py", Some(("py", "")));
    check_open("```py\n", Some(("py", "")));
    check_open("text\n~~~py\nx\n\n", Some(("py", "x\n")));
    check_open("  ```py\n  x", Some(("py", "x")));
    check_open("```md\n```py\nx", Some(("md", "```py\nx")));
    check_open("text", None);
    check_open("``` a`b", None);
    check_open("<think>\n```py\nx", None);
    assert_eq!(codeblocks("```py\nx\n```\n").into_open_block(), None);
}

#[test]
fn the_open_block_while_streaming() {
    let mut stream = CodeblockStream::new();
    let mut shown = |piece: &str| {
        stream.feed(piece);
        stream.open_block().map(|block| (block.lang().to_owned(), block.content().to_owned(), block.start()))
    };
    let open = |lang: &str, content: &str, line| Some((lang.to_owned(), content.to_owned(), Some(line)));
    assert_eq!(shown("text\n```p"), None);
    assert_eq!(shown("y\n"), open("py", "", 1));
    assert_eq!(shown("x"), open("py", "x", 1));
    assert_eq!(shown("\n```\n"), open("py", "x\n```", 1));
    assert_eq!(shown("\n"), None);
    assert_eq!(shown("\n~~~sh\n"), open("sh", "", 6));
    assert_eq!(shown("<think>"), None);
}

#[test]
fn b154_blocks_are_given_as_soon_as_they_are_sure() {
    let given = |text: &str| CodeblockStream::new().feed(text).len();
    assert_eq!(given("```py\nx\n```"), 0);
    assert_eq!(given("```py\nx\n```\n"), 0, "text may come straight after it");
    assert_eq!(given("```py\nx\n```\n\n"), 1);
    assert_eq!(given("```py\nx\n```\n```"), 0);
    assert_eq!(given("```py\nx\n```\n```\n"), 1);
    assert_eq!(given("```py\nx\n```\nmore\n\n"), 0, "a fence may come that makes it a nested one");
    assert_eq!(given("```sh\nx\n```\n"), 1);
    assert_eq!(given("```sh\ncat <<E\n```\n"), 0, "E may come");
    assert_eq!(given("```sh\ncat <<E\n```\nE\n```\n\n\n\n"), 0, "text may come, and then the first fence nests");
    assert_eq!(given("```sh\ncat <<E\n```\nE\n```\n\n\n\n\n"), 1);
    assert_eq!(given(&format!("```sh\ncat <<E\n```\n{}", "\n".repeat(198))), 0);
    assert_eq!(given(&format!("```sh\ncat <<E\n```\n{}", "\n".repeat(199))), 1);
    assert_eq!(given("~~~py\nx\n~~~\n"), 1);
    assert_eq!(given("```py\nx\n```\n\n<think>"), 1);
    assert_eq!(given("<think>```py\nx\n```\n\n"), 0);
}
